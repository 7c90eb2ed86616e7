// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/time_track_content.h"

#include <algorithm>

#include "ui/state/series.h"

namespace palimpsest {

TimeTrackContent::Moment TimeTrackContent::nearest(std::int64_t samples) const {
    if (evaluations.empty()) return std::nullopt;
    return *nearestIn(evaluations, static_cast<double>(samples));
}

TimeTrackContent::Moment TimeTrackContent::stepped(Moment chosen, int direction) const {
    const std::vector<std::int64_t>& all = evaluations;
    if (all.empty()) return std::nullopt;
    const std::int64_t now = chosen.value_or(all.back());
    const auto at = direction < 0 ? std::lower_bound(all.begin(), all.end(), now) - all.begin() - 1
                                  : std::upper_bound(all.begin(), all.end(), now) - all.begin();
    return all[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(at, 0, std::ssize(all) - 1))];
}

TimeTrackContent::Moment TimeTrackContent::sessionStepped(Moment chosen, int direction) const {
    if (evaluations.empty() || starts.empty()) return stepped(chosen, direction);
    const auto firstOf = [this](std::int64_t start) {
        const auto at = std::upper_bound(evaluations.begin(), evaluations.end(), start);
        return at == evaluations.end() ? evaluations.back() : *at;
    };
    const std::int64_t now = chosen.value_or(evaluations.back());
    Moment before;
    for (const std::int64_t start : starts) {
        const std::int64_t first = firstOf(start);
        if (direction > 0 && first > now) return first;
        if (first < now) before = first;
    }
    if (direction > 0) return evaluations.back();
    return before ? before : evaluations.front();
}

}  // namespace palimpsest
