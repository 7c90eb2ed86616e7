// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/report/result_tables.h"

#include <algorithm>
#include <functional>
#include <set>

#include "engine/metrics/metrics.h"
#include "engine/report/averages.h"
#include "engine/report/captions.h"
#include "engine/report/markup.h"
#include "engine/support/append_file.h"
#include "engine/support/format.h"

namespace palimpsest::report {

namespace {

std::string cellOf(const RunGroup& group, const Metric& metric) {
    const Spread values = averageMetric(group, metric);
    // Not every run has every number: forgetting needs two sessions.
    return spreadPerCent(values) + fewerMark(values.count, std::ssize(group.runs));
}

TextSheet sheetOf(const ReportedRuns& runs, const std::function<std::string(const Metric&)>& head) {
    TextSheet sheet{{"Experiment", "N"}};
    const std::vector<const Metric*> tabled = tabledMetrics(runs.groups);
    for (const Metric* metric : tabled) sheet.front().push_back(head(*metric));
    for (const RunGroup& group : runs.groups) {
        const std::string stage = group.stage();
        std::vector<std::string>& row = sheet.emplace_back();
        row = {group.name + (stage.empty() ? "" : ", " + stage), std::to_string(group.runs.size())};
        for (const Metric* metric : tabled) row.push_back(cellOf(group, *metric));
    }
    return sheet;
}

bool anyCell(const ReportedRuns& runs, char wanted) {
    return std::any_of(runs.groups.begin(), runs.groups.end(), [&](const RunGroup& group) {
        return std::any_of(metrics().begin(), metrics().end(), [&](const Metric& metric) {
            return cellOf(group, metric).find(wanted) != std::string::npos;
        });
    });
}

std::string spreadCells(const Spread& values) {
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

std::string resultCaption(const OptionTable& table, const ReportedRuns& runs) {
    std::string text =
        runs.averaged() ? "In per cent, mean ± sample standard deviation over N seeds. " : "In per cent. ";
    if (anyCell(runs, '[')) text += kFewerCaption + std::string(" ");
    return text + conditionsOf(table, runs);
}

std::string resultMarkdown(const OptionTable& table, const ReportedRuns& runs) {
    const TextSheet sheet = sheetOf(runs, [](const Metric& metric) {
        return markdownText(metric.symbol) + (metric.higher_is_better ? " ↑" : " ↓");
    });
    return markdownSheet(sheet, 1) + "\n" + markdownText(resultCaption(table, runs)) + "\n";
}

std::string resultLatex(const OptionTable& table, const ReportedRuns& runs) {
    const TextSheet sheet = sheetOf(runs, [](const Metric& metric) {
        return texSymbol(metric.symbol) + (metric.higher_is_better ? " $\\uparrow$" : " $\\downarrow$");
    });
    return kTexNeeds + texLongNames(sheet) + texTable(resultCaption(table, runs), texSheet(withTexNames(sheet, 1), 1));
}

std::string anytimeCsv(const ReportedRuns& runs) {
    std::string text = "experiment,evaluation,samples_seen,accuracy_mean,accuracy_std,runs\n";
    for (const RunGroup& group : runs.groups) {
        std::size_t number = 0;
        for (const AveragePoint& point : averageAnytime(group)) {
            text += tableCell(group.name) + "," + std::to_string(++number) + "," + shortestDigits(point.samples_seen) +
                    "," + spreadCells(point.accuracy) + "\n";
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
                    text += tableCell(group.name) + "," + std::to_string(row) + "," + std::to_string(column) + "," +
                            spreadCells(retention[row][column]) + "\n";
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
                text += tableCell(group.name) + "," + metric.key + "," + toText(metric.family) + "," +
                        spreadCells(values) + "," + sessionsEnded(group) + "\n";
            }
        }
    }
    return text;
}

}  // namespace palimpsest::report
