// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/method/linear_head.h"

namespace palimpsest {

/// Shared by methods that tune the backbone, or a part of it, and hold it near to where it was: a sum over its tensors
/// of importance x (value - anchor)^2. The head is free.
///
/// Importance by negated logits (EWC-DR, CVPR 2026; models/ewc_dr.py): F is the squared gradient of CE(-z, y) over all
/// classes so far, at most 1e-4, and omega <- alpha omega + (1 - alpha) F, alpha the share of the classes that were
/// known before the session.
class TunedMethod : public Method {
public:
    explicit TunedMethod(const MethodSetup& setup);

    ForwardResult forward(const UpdateInput& input) override;
    bool takesMixedImages() const override { return true; }
    Tensor logits(const Tensor& images, const Tensor& frozen) override;
    Tensor headRows() const override { return head_.weight(); }
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
    /// Is importance measured by negated logits?
    bool negates() const { return negates_; }
    /// CE(-z, y) of the input among all classes that have appeared, whatever its mask, as plainForward() has it;
    /// differentiable.
    Tensor negatedLoss(const Tensor& logits, UpdateInput input) const;
    /// As anchor(), with the squares F of a session at whose end `seen` classes have appeared.
    void anchorNegated(std::vector<Tensor> squares, std::int64_t seen);
    const std::vector<NamedTensor>& tuned() const { return tuned_; }

    std::int64_t classes_;

private:
    std::shared_ptr<Vit> vit_;
    LinearHead head_;
    std::vector<NamedTensor> tuned_;  // the backbone's tensors that learn
    std::vector<Tensor> importance_, anchor_;
    bool negates_;
    std::int64_t known_ = 0;  // classes at the last anchor, for negated logits alone
};

}  // namespace palimpsest
