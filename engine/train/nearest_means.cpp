// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/nearest_means.h"

#include "engine/checkpoint/state_archive.h"
#include "engine/method/update.h"
#include "engine/network/device_copies.h"
#include "engine/support/error.h"

namespace palimpsest {

namespace {

Tensor unitRows(const Tensor& rows) {
    return rows / rows.norm(2, 1, /*keepdim=*/true).clamp_min(1e-12);
}

}  // namespace

void NearestMeans::learn(const Tensor& features, std::span<const std::int64_t> units) {
    if (lost_) return;
    NoGradGuard guard;
    const Tensor rows = features.detach().to(at::kDouble);
    if (empty()) sums_ = at::zeros({std::ssize(counts_), rows.size(1)}, rows.options());
    // It adds row after row, so that the bits do not depend on the batches.
    sums_.index_add_(0, indexOn({units.data(), units.size()}, rows.device()), rows);
    for (const std::int64_t unit : units) ++counts_[static_cast<std::size_t>(unit)];
}

std::vector<std::int64_t> NearestMeans::nearest(const Tensor& features) const {
    NoGradGuard guard;
    std::vector<std::int64_t> known;
    for (std::size_t unit = 0; unit < counts_.size(); ++unit)
        if (counts_[unit] > 0) known.push_back(static_cast<std::int64_t>(unit));
    // The direction of a sum is that of its mean.
    const Tensor means = unitRows(sums_.index_select(0, indexOn(known, sums_.device())));
    const Tensor places = at::matmul(unitRows(features.to(sums_.device(), at::kDouble)), means.t()).argmax(1);
    std::vector<std::int64_t> units;
    for (const std::int64_t place : indexVector(places)) units.push_back(known[static_cast<std::size_t>(place)]);
    return units;
}

void NearestMeans::keep(StateArchive& archive) {
    lost_ = archive.restoring() && archive.part().empty();
    if (lost_) return;
    const std::size_t classes = counts_.size();
    archive("counts", counts_);
    archive("sums", sums_);
    if (counts_.size() != classes || (sums_.defined() && sums_.size(0) != std::ssize(counts_)))
        throw inputError("The saved class means are not of as many classes as the stream has.",
                         "Resume from another checkpoint.");
}

}  // namespace palimpsest
