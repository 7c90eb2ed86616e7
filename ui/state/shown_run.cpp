// SPDX-License-Identifier: GPL-3.0-or-later
// What the plots know of one run, in numbers.
#include <algorithm>

#include "engine/metrics/metrics.h"
#include "ui/state/run_set.h"

namespace palimpsest {

std::optional<double> ShownRun::areaUpTo(std::int64_t samples) const {
    // As areaUnderCurve(), without going through a million numbers at each frame.
    if (area_sums.size() > anytime.size()) area_sums.clear();
    while (area_sums.size() < anytime.size())
        area_sums.push_back((area_sums.empty() ? 0.0 : area_sums.back()) + anytime[area_sums.size()].accuracy);
    const auto after = std::upper_bound(anytime.begin(), anytime.end(), samples,
                                        [](std::int64_t x, const AnytimePoint& p) { return x < p.samples_seen; });
    const auto count = static_cast<std::size_t>(after - anytime.begin());
    return count > 0 ? std::optional(area_sums[count - 1] / static_cast<double>(count)) : std::nullopt;
}

std::int64_t ShownRun::reach() const {
    const bool whole = !goesOn() && areaIsWhole(anytime, total_samples, experiment.evaluation.every_samples);
    return whole ? std::max(total_samples, samples_seen) : samples_seen;
}

const std::vector<RetentionPoint>& ShownRun::retentionOf(std::int64_t session) const {
    static const std::vector<RetentionPoint> none;
    const auto it = retention.find(session);
    return it == retention.end() ? none : it->second;
}

void ShownRun::addRetention(const RetentionPoint& point) {
    if (point.samples > 0) retention[point.session].push_back(point);
}

std::int64_t ShownRun::sessions() const {
    return session_starts.empty() ? experiment.stream.sessions : static_cast<std::int64_t>(session_starts.size());
}

}  // namespace palimpsest
