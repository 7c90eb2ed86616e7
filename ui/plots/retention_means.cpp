// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/retention_means.h"

#include <algorithm>
#include <iterator>

#include "ui/state/run_set.h"

namespace palimpsest {

std::int64_t retentionStride(const ShownRun& run) {
    constexpr std::int64_t kMostLines = 40;
    const std::int64_t sessions = std::max<std::int64_t>(run.facts->sessions(), std::ssize(run.points.retention()));
    return std::max<std::int64_t>(1, (sessions + kMostLines - 1) / kMostLines);
}

RetentionMean retentionMean(const std::vector<const ShownRun*>& runs, std::int64_t session) {
    std::map<std::int64_t, std::vector<double>> values;
    for (const ShownRun* run : runs)
        for (const RetentionPoint& point : run->points.retentionOf(session)) {
            const bool sound = session <= point.after_session && point.after_session < run->facts->sessions();
            if (sound) values[point.after_session].push_back(point.accuracy);
        }
    RetentionMean mean;
    for (const auto& [after, accuracies] : values) mean[after] = spread(accuracies);
    return mean;
}

report::SessionSeeds seedsOf(const RetentionMean& mean) {
    report::SessionSeeds seeds;
    for (const auto& [after, accuracy] : mean) {
        seeds.least = seeds.most == 0 ? accuracy.count : std::min(seeds.least, accuracy.count);
        seeds.most = std::max(seeds.most, accuracy.count);
    }
    return seeds;
}

}  // namespace palimpsest
