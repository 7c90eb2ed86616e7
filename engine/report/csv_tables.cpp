// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/report/csv_tables.h"

#include <set>

#include "engine/report/averages.h"
#include "engine/support/format.h"

namespace palimpsest::report {
namespace {

std::string columns(const Spread& values) {
    // A single value has no deviation.
    return shortestDigits(values.mean) + "," + (values.count > 1 ? shortestDigits(values.deviation) : "") + "," +
           std::to_string(values.count);
}

std::string sessionsEnded(const RunGroup& group) {
    std::set<std::int64_t> counts;
    for (const RunRecord& run : group.runs) counts.insert(run.summary.sessions_ended);
    return counts.size() == 1 ? std::to_string(*counts.begin()) : "";
}

}  // namespace

std::string csvText(const std::string& text) {
    if (text.find_first_of(",\"\n") == std::string::npos) {
        return text;
    }
    std::string result = "\"";
    for (const char c : text) {
        result += c == '"' ? std::string("\"\"") : std::string(1, c);
    }
    return result + "\"";
}

std::string anytimeCsv(const ReportedRuns& runs) {
    std::string text = "experiment,evaluation,samples_seen,accuracy_mean,accuracy_std,runs\n";
    for (const RunGroup& group : runs.groups) {
        std::size_t number = 0;
        for (const AveragePoint& point : averageAnytime(group)) {
            text += csvText(group.name) + "," + std::to_string(++number) + "," + shortestDigits(point.samples_seen) +
                    "," + columns(point.accuracy) + "\n";
        }
    }
    return text;
}

std::string retentionCsv(const ReportedRuns& runs) {
    std::string text = "experiment,after_session,session,accuracy_mean,accuracy_std,runs\n";
    for (const RunGroup& group : runs.groups) {
        const auto retention = averageRetention(group);
        for (std::size_t row = 0; row < retention.size(); ++row) {
            for (std::size_t column = 0; column < retention[row].size(); ++column) {
                if (retention[row][column].count > 0) {
                    text += csvText(group.name) + "," + std::to_string(row) + "," + std::to_string(column) + "," +
                            columns(retention[row][column]) + "\n";
                }
            }
        }
    }
    return text;
}

std::string metricsCsv(const ReportedRuns& runs) {
    std::string text = "experiment,metric,definition,mean,std,runs,sessions_ended\n";
    for (const RunGroup& group : runs.groups) {
        for (const Metric& metric : metrics()) {
            const Spread values = averageMetric(group, metric);
            if (values.count > 0) {
                text += csvText(group.name) + "," + metric.key + "," + toText(metric.family) + "," + columns(values) +
                        "," + sessionsEnded(group) + "\n";
            }
        }
    }
    return text;
}

}  // namespace palimpsest::report
