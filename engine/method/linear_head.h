// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/method/method.h"

namespace palimpsest {

/// The classifier on top: `fc` in the official code, [C, D] and [C]. Unit k belongs to the k-th class ever seen.
class LinearHead {
public:
    /// Truncated normal 0.02, zero bias (MISA, models/vit.py), trainable.
    LinearHead(std::int64_t classes, std::int64_t width, std::uint64_t seed, at::Device device);
    Tensor operator()(const Tensor& features) const { return at::linear(features, weight_, bias_); }
    const Tensor& weight() const { return weight_; }
    const Tensor& bias() const { return bias_; }
    std::vector<NamedTensor> parameters(const std::string& prefix) const;

private:
    Tensor weight_, bias_;
};

/// Mean cross-entropy of the logits under the mask, and the accuracy on the same masked logits. For mixed images lambda
/// times the loss of their own units and 1 - lambda times that of the others' (MISA, methods/Finetuning.py); their own
/// count as right.
ForwardResult plainForward(const Tensor& logits, const UpdateInput& input);

}  // namespace palimpsest
