// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/method/linear_head.h"
#include "engine/method/method.h"

namespace palimpsest {
namespace {

/// Every parameter learns, plain cross-entropy (paper, lower bound; MISA, methods/Finetuning.py with "vit_finetune").
/// The official loop makes updates x stream batch updates a batch; here the number is training.updates_per_batch.
class Finetune : public Method {
public:
    explicit Finetune(const MethodSetup& setup)
        : vit_(setup.vit), head_(setup.classes, vit_->shape().width, setup.seed, vit_->device()) {
        vit_->setTrainable(true);
        makeOptimizerFor(setup);
    }

    ForwardResult forward(const UpdateInput& input) override {
        return plainForward(head_(vit_->features(input.images)), input);
    }
    bool takesMixedImages() const override { return true; }
    bool takesSharpness() const override { return true; }
    Tensor logits(const Tensor& images, const Tensor&) override { return head_(noteFeatures(vit_->features(images))); }
    Tensor headRows() const override { return head_.weight(); }
    bool usesFrozenFeatures() const override { return false; }
    bool needsImages() const override { return true; }
    Tensor frozenFeatures(const Tensor& images) override {
        NoGradGuard guard;
        return vit_->features(images);
    }
    bool evaluatesSeenOnly() const override { return true; }
    std::vector<NamedTensor> trainable() const override {
        std::vector<NamedTensor> all = vit_->parameters();
        for (auto& entry : head_.parameters("")) all.push_back(entry);
        return all;
    }
    std::vector<NamedTensor> trainedBackbone() const override { return vit_->parameters(); }

private:
    std::shared_ptr<Vit> vit_;
    LinearHead head_;
};

}  // namespace

std::unique_ptr<Method> makeFinetune(const MethodSetup& setup) {
    return std::make_unique<Finetune>(setup);
}

}  // namespace palimpsest
