// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/network/tensor.h"

namespace palimpsest {

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
    /// With the official names below `prefix`; the live tensors, all trainable.
    std::vector<NamedTensor> parameters(const std::string& prefix) const;

private:
    Tensor in_weight_, in_bias_, norm_weight_, norm_bias_, out_weight_, out_bias_;
};

}  // namespace palimpsest
