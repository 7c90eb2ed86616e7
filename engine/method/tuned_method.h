// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/method/linear_head.h"

namespace palimpsest {

/// Shared by methods that tune the backbone, or a part of it, and hold it near to where it was: a sum over its tensors
/// of importance x (value - anchor)^2. The head is free.
class TunedMethod : public Method {
public:
    explicit TunedMethod(const MethodSetup& setup);

    ForwardResult forward(const UpdateInput& input) override;
    bool takesMixedImages() const override { return true; }
    Tensor logits(const Tensor& images, const Tensor& frozen) override;
    bool usesFrozenFeatures() const override { return tuned_.empty(); }
    bool needsImages() const override { return !tuned_.empty(); }
    Tensor frozenFeatures(const Tensor& images) override;
    bool repeatsFeatures() const override { return tuned_.empty() && vit_->repeatsBits(); }
    bool evaluatesSeenOnly() const override { return true; }
    std::vector<NamedTensor> trainable() const override;
    std::vector<NamedTensor> trainedBackbone() const override { return tuned_; }
    /// "importance.NAME" and "anchor.NAME" for each tuned tensor, once there are some.
    std::vector<NamedTensor> keptTensors() const override;
    void keep(StateArchive& archive) override;

protected:
    /// Sum of importance (value - anchor)^2, a differentiable scalar; undefined before the first anchor.
    Tensor distance() const;
    /// The tensors as they are now become the anchor, with this importance, one for each of tuned().
    void anchor(std::vector<Tensor> importance);
    const std::vector<NamedTensor>& tuned() const { return tuned_; }

    std::int64_t classes_;

private:
    std::shared_ptr<Vit> vit_;
    LinearHead head_;
    std::vector<NamedTensor> tuned_;  // the backbone's tensors that learn
    std::vector<Tensor> importance_, anchor_;
};

}  // namespace palimpsest
