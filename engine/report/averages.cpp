// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/report/averages.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace palimpsest::report {

std::vector<AveragePoint> averageAnytime(const RunGroup& group) {
    std::size_t length = std::numeric_limits<std::size_t>::max();
    for (const RunRecord& run : group.runs) {
        length = std::min(length, run.anytime.size());
    }
    std::vector<AveragePoint> points;
    for (std::size_t k = 0; k < length && !group.runs.empty(); ++k) {
        std::vector<double> samples;
        std::vector<double> accuracies;
        for (const RunRecord& run : group.runs) {
            samples.push_back(static_cast<double>(run.anytime[k].samples_seen));
            accuracies.push_back(run.anytime[k].accuracy);
        }
        points.push_back({spread(samples).mean, spread(accuracies)});
    }
    return points;
}

std::vector<std::vector<Spread>> averageRetention(const RunGroup& group) {
    std::vector<std::vector<std::vector<double>>> values;
    for (const RunRecord& run : group.runs) {
        for (const RetentionPoint& point : run.retention) {
            const bool sound = 0 <= point.session && point.session <= point.after_session &&
                               point.after_session < run.experiment.stream.sessions;
            if (!sound) {
                continue;
            }
            const auto row = static_cast<std::size_t>(point.after_session);
            const auto column = static_cast<std::size_t>(point.session);
            while (values.size() <= row) {
                values.emplace_back(values.size() + 1);
            }
            if (point.samples > 0) {
                values[row][column].push_back(point.accuracy);
            }
        }
    }
    std::vector<std::vector<Spread>> result;
    for (const auto& row : values) {
        std::vector<Spread>& averages = result.emplace_back();
        for (const auto& cell : row) {
            averages.push_back(cell.empty() ? Spread{} : spread(cell));
        }
    }
    return result;
}

Spread sampleSpread(Spread population) {
    if (population.count > 1) {
        const auto count = static_cast<double>(population.count);
        population.deviation *= std::sqrt(count / (count - 1));
    }
    return population;
}

Spread averageMetric(const RunGroup& group, const Metric& metric) {
    std::vector<double> values;
    for (const RunRecord& run : group.runs) {
        if (const std::optional<double> value = run.summary.*(metric.value)) {
            values.push_back(*value);
        }
    }
    return values.empty() ? Spread{} : spread(values);
}

}  // namespace palimpsest::report
