// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/report/result_table.h"
#include "engine/metrics/metrics.h"

#include <algorithm>
#include <functional>

#include "engine/report/averages.h"
#include "engine/report/captions.h"
#include "engine/report/text_sheet.h"
#include "engine/support/format.h"

namespace palimpsest::report {
namespace {

std::string cellOf(const RunGroup& group, const Metric& metric) {
    const Spread values = averageMetric(group, metric);
    std::string text = spreadPerCent(values);
    // Not every run has every number: forgetting needs two sessions.
    if (values.count > 0 && values.count < std::ssize(group.runs)) text += " [" + std::to_string(values.count) + "]";
    return text;
}

TextSheet sheetOf(const ReportedRuns& runs, const std::function<std::string(const Metric&)>& head) {
    TextSheet sheet{{"Experiment", "N"}};
    for (const Metric& metric : metrics()) sheet.front().push_back(head(metric));
    for (const RunGroup& group : runs.groups) {
        const std::string stage = group.stage();
        std::vector<std::string>& row = sheet.emplace_back();
        row = {group.name + (stage.empty() ? "" : ", " + stage), std::to_string(group.runs.size())};
        for (const Metric& metric : metrics()) row.push_back(cellOf(group, metric));
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

}  // namespace

std::string resultCaption(const OptionTable& table, const ReportedRuns& runs) {
    const bool averaged = std::any_of(runs.groups.begin(), runs.groups.end(),
                                      [](const RunGroup& group) { return group.runs.size() > 1; });
    std::string text = averaged ? "In per cent, mean ± sample standard deviation over N seeds. " : "In per cent. ";
    if (anyCell(runs, '[')) text += "[n]: only n of them have this number. ";
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
    return kTexNeeds + texTable(resultCaption(table, runs), texSheet(sheet, 1));
}

}  // namespace palimpsest::report
