// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/method/frozen_method.h"
#include "engine/method/linear_head.h"

namespace palimpsest {

/// Shared by methods that learn a linear head on a frozen backbone and nothing else, by the cross-entropy unless they
/// say more. Evaluated on classes seen so far.
class HeadMethod : public FrozenBackboneMethod {
public:
    explicit HeadMethod(const MethodSetup& setup)
        : FrozenBackboneMethod(setup.vit),
          head_(setup.classes, setup.vit->shape().width, setup.seed, setup.vit->device()),
          classes_(setup.classes) {}
    ForwardResult forward(const UpdateInput& input) override {
        return plainForward(head_(frozenFeatures(input.images)), input);
    }
    Tensor logits(const Tensor&, const Tensor& frozen) override { return head_(frozen); }
    bool needsImages() const override { return false; }
    bool evaluatesSeenOnly() const override { return true; }
    std::vector<NamedTensor> trainable() const override { return head_.parameters(""); }

protected:
    LinearHead head_;
    std::int64_t classes_;
};

}  // namespace palimpsest
