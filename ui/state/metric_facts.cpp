// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/metric_facts.h"

#include <algorithm>

namespace palimpsest {
namespace {

std::vector<double> accuracies(const std::vector<AnytimePoint>& points) {
    std::vector<double> values;
    for (const AnytimePoint& point : points) values.push_back(point.accuracy);
    return values;
}

/// Rows of sessions that have ended; `tested` becomes the test images of the last one, where every class counts.
RMatrix matrixOf(const ShownRun& run, std::optional<std::int64_t>& tested) {
    RMatrix r;
    std::int64_t last = 0;
    for (const auto& [session, points] : run.points.retention())
        for (const RetentionPoint& point : points) {
            const auto row = static_cast<std::size_t>(point.after_session), column = static_cast<std::size_t>(session);
            if (r.size() <= row) r.resize(row + 1);
            if (r[row].size() <= column) r[row].resize(column + 1);
            r[row][column] = point.accuracy;
        }
    for (const auto& [session, points] : run.points.retention())
        for (const RetentionPoint& point : points)
            if (point.after_session + 1 == std::ssize(r)) last += point.samples;
    if (last > 0 && run.facts->experiment.evaluation.session_data != "disjoint") tested = last;
    return r;
}

}  // namespace

MetricFacts metricFacts(const ShownRun& run, const RunRecord* record) {
    MetricFacts facts;
    facts.anytime = accuracies(run.points.anytime());
    facts.session_ends = accuracies(run.points.sessionEnds());
    facts.r = matrixOf(run, facts.tested);
    facts.sessions = std::max<std::int64_t>(std::ssize(run.facts->session_starts), 1);
    facts.total_samples = run.facts->total_samples;
    facts.every_samples = run.facts->experiment.evaluation.every_samples;
    facts.over = !run.inProgress();
    facts.disjoint_only = run.facts->experiment.evaluation.session_data == "disjoint";
    if (record && facts.over) facts.summary = record->summary;
    return facts;
}

MetricFacts metricFacts(const RunRecord& record) {
    RunSet store;
    store.addRecord(record);
    return metricFacts(*store.runs().front(), &record);
}

}  // namespace palimpsest
