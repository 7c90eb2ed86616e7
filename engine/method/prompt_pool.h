// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/network/tensor.h"

namespace palimpsest {

/// 1 - cosine() of every query [B, D] to every key [K, D]: [B, K], differentiable in both.
Tensor keyDistances(const Tensor& queries, const Tensor& keys);

/// Keys [pool, D] and prompts [pool, L, D]; a sample takes the prompt whose key is nearest to its query by cosine
/// (MISA, models/prompt.py; cosine eps 1e-8). Trainable, uniform in -1..1 at first.
class PromptPool {
public:
    PromptPool(std::int64_t size, std::int64_t length, std::int64_t width, Random& random, at::Device device);

    struct Selection {
        Tensor index;     ///< int64 [B], row of `prompts`
        Tensor distance;  ///< float32 [B], 1 - cos(query, key), differentiable in the keys
    };
    /// Among the keys [first, first + count).
    /// `published`: the index stays relative to the slice, so a one-key slice always takes prompt 0 while its own key
    /// is pulled, as the official code does by mistake (MISA, models/dualprompt.py, forward_features).
    Selection select(const Tensor& query, std::int64_t first, std::int64_t count, bool published) const;
    Selection select(const Tensor& query) const { return select(query, 0, size(), false); }

    std::int64_t size() const { return keys_.size(0); }
    const Tensor& keys() const { return keys_; }
    const Tensor& prompts() const { return prompts_; }
    Tensor& prompts() { return prompts_; }

private:
    Tensor keys_, prompts_;
};

}  // namespace palimpsest
