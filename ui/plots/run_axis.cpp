// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/run_axis.h"

#include <algorithm>

#include "ui/plots/session_borders.h"
#include "ui/state/run_set.h"
#include "ui/state/series.h"

namespace palimpsest {

double RunAxis::placeIn(const ShownRun& run, std::int64_t samples) const {
    return by_session ? sessionPlace(run, static_cast<double>(samples)) : static_cast<double>(samples);
}

double RunAxis::samplesIn(const ShownRun& run, double place) const {
    // A point is found again whatever its place was rounded to.
    return by_session ? samplesAtSession(run, place) + 0.5 : place;
}

const AnytimePoint* RunAxis::evaluationAt(const ShownRun& run, double place) const {
    if (run.points.anytime().empty()) return nullptr;
    return &*nearestIn(run.points.anytime(), by_session ? samplesAtSession(run, place) : place,
                       &AnytimePoint::samples_seen);
}

const AnytimePoint* pointAt(const ShownRun& run, double samples) {
    if (run.points.anytime().empty()) return nullptr;
    auto at = std::upper_bound(run.points.anytime().begin(), run.points.anytime().end(), samples,
                               [](double x, const AnytimePoint& p) { return x < static_cast<double>(p.samples_seen); });
    return &*(at == run.points.anytime().begin() ? at : at - 1);
}

}  // namespace palimpsest
