// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "engine/network/vit.h"

// Parts that methods with prompts are made of.

namespace palimpsest {

/// Throws Error(Input) when the network has fewer than `blocks` blocks. `method`: its title.
void requireBlocks(const Vit& vit, std::int64_t blocks, const std::string& method);

/// Tokens of a prompt: `asked`, or for 0 as large a share of the network's `tokens` (VitShape) as `published` ones are
/// of the 197 that ViT-B/16 has, the network of all published lengths; at least 1 and no more than published.
std::int64_t fittedLength(std::int64_t asked, std::int64_t published, std::int64_t tokens);

/// The distance 1 - cosine() of every query [B, D] to every key [K, D]: [B, K], differentiable in both.
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
    /// Chooses among the keys [first, first + count). `published`: the index stays relative to the slice, so a one-key
    /// slice always takes prompt 0 while its own key is pulled, as the official code does by mistake (MISA,
    /// models/dualprompt.py, forward_features).
    Selection select(const Tensor& query, std::int64_t first, std::int64_t count, bool published) const;
    Selection select(const Tensor& query) const { return select(query, 0, size(), false); }

    std::int64_t size() const { return keys_.size(0); }
    const Tensor& keys() const { return keys_; }
    const Tensor& prompts() const { return prompts_; }
    Tensor& prompts() { return prompts_; }

private:
    Tensor keys_, prompts_;
};

/// Prompt augmentation of initial session adaptation: p + MLP(p), token by token. MLP: D -> D/8 linear, LayerNorm (eps
/// 1e-5), ReLU, D/8 -> D linear (the paper's appendix; MISA, models/prompt.py: 768 -> 96 -> 768).
/// No token sees another, so the whole pool may be augmented before prompts are chosen from it: chosen rows are what
/// they would be afterwards, a row that nobody chose sends no gradient back, one chosen often the sum of its own.
class PromptAugmenter {
public:
    /// PyTorch's initial values for linear layers: uniform in +-1/sqrt(inputs). Throws Error(Input) for widths below 8.
    PromptAugmenter(std::int64_t width, Random random, at::Device device);
    /// [..., D] -> [..., D].
    Tensor operator()(const Tensor& tokens) const;
    /// The live tensors, all trainable, with the official names below `prefix`.
    std::vector<NamedTensor> parameters(const std::string& prefix) const;

private:
    Tensor in_weight_, in_bias_, norm_weight_, norm_bias_, out_weight_, out_bias_;
};

}  // namespace palimpsest
