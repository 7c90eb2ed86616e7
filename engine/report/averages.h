// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "engine/metrics/metric_catalogue.h"
#include "engine/metrics/metrics.h"
#include "engine/report/run_groups.h"

namespace palimpsest::report {

/// Mean over the seeds of a group at one evaluation, as fractions.
struct AveragePoint {
    double samples_seen = 0;  ///< mean: a border between batches differs a little from stream to stream
    Spread accuracy;
};

/// Curve of one run, evaluation by evaluation: place along the stream, in any unit, and number there.
struct SeedCurve {
    std::vector<double> x, y;
};

/// Evaluations that are averaged, of `length`: about `most` at the same distance, and the last.
std::vector<std::size_t> averagedEvaluations(std::size_t length, std::size_t most);

/// Anytime accuracies of a group, evaluation by evaluation (all runs of a group evaluate at the same thresholds), as
/// far as the shortest run goes.
std::vector<AveragePoint> averageAnytime(const RunGroup& group);

/// The same for the nearest class mean beside them; only evaluations at which every run has it.
std::vector<AveragePoint> averageReference(const RunGroup& group);

/// R[i][j]: after session i, on the data of session j. `count` is the number of seeds in which session j has test data.
std::vector<std::vector<Spread>> averageRetention(const RunGroup& group);

Spread averageMetric(const RunGroup& group, const Metric& metric);
/// Metrics that a table of these groups has a column for: all but those that few methods have, where no run has one.
std::vector<const Metric*> tabledMetrics(const std::vector<RunGroup>& groups);

/// The mark of a number in a table that fewer runs have than its row says: " [2]"; empty where all `of` them have it,
/// or none.
std::string fewerMark(std::int64_t count, std::int64_t of);
/// Explains the mark below a table.
inline constexpr const char* kFewerCaption = "[n]: only n of them have this number.";

// Number of seeds that a figure's numbers are averaged over, in words. Not every seed has every number: in one of them
// no class may come for the first time in a session, and one that was stopped has fewer sessions.

/// "3 seeds", or "2 or 3 seeds" where the experiments have different numbers of them; empty where none has several.
std::string seedsText(const std::set<std::int64_t>& counts);

/// Least and most seeds of the entries of R that stand for one session: after it and after every later one.
struct SessionSeeds {
    std::int64_t least = 0, most = 0;  ///< 0: it has no entry
    bool operator==(const SessionSeeds&) const = default;
};

/// Counts by session.
std::vector<SessionSeeds> seedsOfSessions(const std::vector<std::vector<Spread>>& retention);
/// "2", or "1 to 2".
std::string seedsText(const SessionSeeds& seeds);
/// Counts of most sessions; seedsText() names the others beside them.
SessionSeeds usualSeeds(const std::vector<SessionSeeds>& sessions);
/// "3 seeds" of all sessions alike, or "3 seeds (session 5: 2)"; empty where no session has several.
std::string seedsText(const std::vector<SessionSeeds>& sessions);

}  // namespace palimpsest::report
