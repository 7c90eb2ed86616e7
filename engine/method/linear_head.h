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

/// Pushes of the cross-entropy on the logits under the mask: of `masked` [B, C] and the input's units and mix.
PushedLogits pushedLogits(const Tensor& masked, const UpdateInput& input);

/// Base class of methods that learn a linear head on a frozen backbone and nothing else, by the cross-entropy unless
/// they say more. Evaluated on classes seen so far.
class HeadMethod : public FrozenBackboneMethod {
public:
    explicit HeadMethod(const MethodSetup& setup)
        : FrozenBackboneMethod(setup.vit),
          head_(setup.classes, setup.vit->shape().width, setup.seed, setup.vit->device()),
          classes_(setup.classes) {}
    ForwardResult forward(const UpdateInput& input) override {
        return plainForward(head_(featuresOnce(input.images, input.views)), input);
    }
    Tensor logits(const Tensor&, const Tensor& frozen) override { return head_(frozen); }
    Tensor headRows() const override { return head_.weight(); }
    bool needsImages() const override { return false; }
    bool evaluatesSeenOnly() const override { return true; }
    std::vector<NamedTensor> trainable() const override { return head_.parameters(""); }

protected:
    LinearHead head_;
    std::int64_t classes_;
};

}  // namespace palimpsest
