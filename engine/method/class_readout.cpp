// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/method/class_readout.h"

#include "engine/checkpoint/state_archive.h"
#include "engine/method_options/readout_options.h"
#include "engine/support/error.h"

namespace palimpsest {

ClassReadout::ClassReadout(const MethodSetup& setup) : lambda_(setup.method.of<ReadoutOptions>().ridge) {
    const std::string& kind = setup.method.of<ReadoutOptions>().kind;
    if (kind == "head") return;
    if (kind != "ncm" && kind != "ridge")
        throw inputError("There is no read-out \"" + kind + "\".", "Choose head, ncm or ridge.");
    ridge_ = kind == "ridge";
    statistics_.emplace(setup.vit->shape().width, setup.classes, setup.vit->device());
}

void ClassReadout::count(const Tensor& features, const Tensor& units, bool again) {
    if (!statistics_ || again) return;
    NoGradGuard guard;
    statistics_->add(features.detach(), units);
}

Tensor ClassReadout::scores(const Tensor& features) {
    NoGradGuard guard;
    const std::int64_t classes = statistics_->counts().numel();
    if (statistics_->samples() == 0) return at::zeros({features.size(0), classes}, features.options());
    if (statistics_->samples() != computed_at_) {
        computed_at_ = statistics_->samples();
        known_ = statistics_->counts() > 0;
        // Of class sums the direction is all that a cosine asks for.
        weight_ = ridge_ ? statistics_->solved(lambda_).contiguous()
                         : unitLength(statistics_->sums(), 0).to(at::kFloat).contiguous();
    }
    const Tensor all = at::matmul(ridge_ ? features : unitLength(features, 1), weight_);
    const Tensor last = std::get<0>(all.min(1, /*keepdim=*/true)) - 1;
    return at::where(known_.unsqueeze(0), all, last);
}

std::vector<NamedTensor> ClassReadout::keptTensors() const {
    std::vector<NamedTensor> kept;
    if (statistics_)
        for (const NamedTensor& entry : statistics_->tensors()) kept.push_back({"readout." + entry.name, entry.tensor});
    return kept;
}

void ClassReadout::keep(StateArchive& archive) {
    if (statistics_ && !(archive.restoring() && archive.part().empty())) statistics_->keep(archive);
}

}  // namespace palimpsest
