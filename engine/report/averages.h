// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "engine/metrics/metrics.h"
#include "engine/metrics/metric_catalogue.h"
#include "engine/report/run_groups.h"

namespace palimpsest::report {

/// Over the seeds of a group, as fractions.
struct AveragePoint {
    double samples_seen = 0;  ///< mean: a border between batches differs a little from stream to stream
    Spread accuracy;
};

/// Evaluation by evaluation (all runs of a group evaluate at the same thresholds), as far as the shortest run goes.
std::vector<AveragePoint> averageAnytime(const RunGroup& group);

/// R[i][j]: after session i, on the data of session j. `count` is the number of seeds in which session j has test data.
std::vector<std::vector<Spread>> averageRetention(const RunGroup& group);

/// Divided by n - 1 instead of n.
Spread sampleSpread(Spread population);

Spread averageMetric(const RunGroup& group, const Metric& metric);

}  // namespace palimpsest::report
