// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/method/tuned_method.h"

#include <algorithm>

#include "engine/checkpoint/state_archive.h"
#include "engine/method_options/tuned_backbone_options.h"
#include "engine/optim/output_units.h"
#include "engine/support/one_of_two.h"

namespace palimpsest {
namespace {

constexpr double kMostImportant = 1e-4;  // EWC-DR, models/ewc_dr.py

}  // namespace

TunedMethod::TunedMethod(const MethodSetup& setup)
    : classes_(setup.classes),
      vit_(setup.vit),
      head_(setup.classes, setup.vit->shape().width, setup.seed, setup.vit->device()),
      negates_(isSecondOf("importance", setup.method.of<TunedBackboneOptions>().importance, "true-label",
                          "negated-logits")) {
    const auto& exact = setup.exact_backbone;
    vit_->setTrainable(setup.method.of<TunedBackboneOptions>().train_backbone && !exact);
    if (!setup.method.of<TunedBackboneOptions>().train_backbone) return;
    for (const NamedTensor& entry : vit_->parameters()) {
        if (exact && std::find(exact->begin(), exact->end(), entry.name) == exact->end()) continue;
        tuned_.push_back(entry);
        tuned_.back().tensor.requires_grad_(true);
    }
}

ForwardResult TunedMethod::forward(const UpdateInput& input) {
    return plainForward(head_(tuned_.empty() ? featuresOnce(input.images, input.views) : vit_->features(input.images)),
                        input);
}

Tensor TunedMethod::logits(const Tensor& images, const Tensor& frozen) {
    return head_(tuned_.empty() ? frozen : noteFeatures(vit_->features(images)));
}

Tensor TunedMethod::frozenFeatures(const Tensor& images) {
    NoGradGuard guard;
    return vit_->features(images);
}

std::vector<NamedTensor> TunedMethod::trainable() const {
    std::vector<NamedTensor> all = tuned_;
    for (auto& entry : head_.parameters("")) all.push_back(entry);
    return all;
}

std::vector<NamedTensor> TunedMethod::keptTensors() const {
    std::vector<NamedTensor> kept;
    for (std::size_t i = 0; i < importance_.size(); ++i) {
        kept.push_back({"importance." + tuned_[i].name, importance_[i]});
        kept.push_back({"anchor." + tuned_[i].name, anchor_[i]});
    }
    return kept;
}

void TunedMethod::keep(StateArchive& archive) {
    Method::keep(archive);
    archive("importance", importance_);
    archive("anchor", anchor_);
    archive.within("negated", [&] {
        // A fork may begin with negated logits.
        if (negates_ && !(archive.restoring() && archive.part().empty())) archive("known", known_);
    });
}

Tensor TunedMethod::distance() const {
    Tensor sum;
    for (std::size_t i = 0; i < importance_.size(); ++i) {
        const Tensor part = (importance_[i] * (tuned_[i].tensor - anchor_[i]).square()).sum();
        sum = sum.defined() ? sum + part : part;
    }
    return sum;
}

void TunedMethod::anchor(std::vector<Tensor> importance) {
    importance_ = std::move(importance);
    anchor_.clear();
    for (const auto& [name, tensor] : tuned_) anchor_.push_back(tensor.detach().clone());
}

Tensor TunedMethod::negatedLoss(const Tensor& logits, UpdateInput input) const {
    input.mask = seenMask(input.seen, classes_, logits.device());
    input.form = MaskForm::Additive;
    return plainForward(-logits, input).loss;
}

void TunedMethod::anchorNegated(std::vector<Tensor> squares, std::int64_t seen) {
    const double alpha = seen > 0 ? static_cast<double>(known_) / static_cast<double>(seen) : 0;
    for (std::size_t i = 0; i < squares.size(); ++i) {
        squares[i] = (1 - alpha) * squares[i].clamp_max(kMostImportant);
        if (i < importance_.size()) squares[i] = squares[i] + alpha * importance_[i];
    }
    known_ = seen;
    anchor(std::move(squares));
}

}  // namespace palimpsest
