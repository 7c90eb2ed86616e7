// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/report/averages.h"

#include <algorithm>

namespace palimpsest::report {

std::vector<std::size_t> averagedEvaluations(std::size_t length, std::size_t most) {
    std::vector<std::size_t> evaluations;
    const std::size_t step = std::max<std::size_t>(1, length / most);
    for (std::size_t k = 0; k < length; k = k + 1 < length ? std::min(k + step, length - 1) : length)
        evaluations.push_back(k);
    return evaluations;
}

std::vector<AveragePoint> averageCurves(const std::vector<SeedCurve>& curves, std::size_t most) {
    std::vector<AveragePoint> points;
    if (curves.empty()) return points;
    std::size_t length = curves.front().x.size();
    for (const SeedCurve& curve : curves) length = std::min(length, curve.x.size());
    std::vector<double> places(curves.size()), values(curves.size());
    for (const std::size_t k : averagedEvaluations(length, most)) {
        for (std::size_t run = 0; run < curves.size(); ++run) {
            places[run] = curves[run].x[k];
            values[run] = curves[run].y[k];
        }
        points.push_back({spread(places).mean, spread(values), k});
    }
    return points;
}

std::vector<AveragePoint> averageAnytime(const RunGroup& group) {
    std::vector<SeedCurve> curves;
    for (const RunRecord& run : group.runs) {
        SeedCurve& curve = curves.emplace_back();
        for (const AnytimePoint& point : run.anytime) {
            curve.x.push_back(static_cast<double>(point.samples_seen));
            curve.y.push_back(point.accuracy);
        }
    }
    return averageCurves(curves);
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
