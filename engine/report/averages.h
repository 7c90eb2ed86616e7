// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

#include "engine/metrics/metric_catalogue.h"
#include "engine/metrics/metrics.h"
#include "engine/report/run_groups.h"

namespace palimpsest::report {

/// Over the seeds of a group, as fractions.
struct AveragePoint {
    double samples_seen = 0;  ///< mean: a border between batches differs a little from stream to stream
    Spread accuracy;
    std::size_t evaluation = 0;  ///< of each run, from 0
};

/// Curve of one run, evaluation by evaluation: place along the stream, in any unit, and number there.
struct SeedCurve {
    std::vector<double> x, y;
};

/// Which of so many evaluations are averaged: about `most` at most, every so manieth one, and the last.
std::vector<std::size_t> averagedEvaluations(std::size_t length, std::size_t most);

/// Evaluation by evaluation (all runs of a group evaluate at the same thresholds), as far as the shortest run goes.
/// At averagedEvaluations().
std::vector<AveragePoint> averageCurves(const std::vector<SeedCurve>& curves,
                                        std::size_t most = std::numeric_limits<std::size_t>::max());
/// The same of a group's anytime accuracies.
std::vector<AveragePoint> averageAnytime(const RunGroup& group);

/// R[i][j]: after session i, on the data of session j. `count` is the number of seeds in which session j has test data.
std::vector<std::vector<Spread>> averageRetention(const RunGroup& group);

Spread averageMetric(const RunGroup& group, const Metric& metric);

}  // namespace palimpsest::report
