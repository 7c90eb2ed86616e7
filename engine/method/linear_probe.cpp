// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/method/builtin.h"
#include "engine/method/frozen_method.h"
#include "engine/method/linear_head.h"

namespace palimpsest {
namespace {

/// Frozen backbone, linear head, plain cross-entropy (paper, lower bound; MISA, methods/Finetuning.py with model "vit").
class LinearProbe : public FrozenBackboneMethod {
public:
    explicit LinearProbe(const MethodSetup& setup)
        : FrozenBackboneMethod(setup.vit), head_(setup.classes, vit_->shape().width, setup.seed, vit_->device()) {
        makeOptimizerFor(setup);
    }

    ForwardResult forward(const UpdateInput& input) override {
        return plainForward(head_(frozenFeatures(input.images)), input);
    }
    bool takesMixedImages() const override { return true; }
    Tensor logits(const Tensor&, const Tensor& frozen) override { return head_(frozen); }
    bool needsImages() const override { return false; }
    bool evaluatesSeenOnly() const override { return true; }
    std::vector<NamedTensor> trainable() const override { return head_.parameters(""); }

private:
    LinearHead head_;
};

}  // namespace

std::unique_ptr<Method> makeLinearProbe(const MethodSetup& setup) { return std::make_unique<LinearProbe>(setup); }

}  // namespace palimpsest
