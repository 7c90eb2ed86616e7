// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/report/sweep_table.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>

#include "engine/metrics/metrics.h"
#include "engine/report/markup.h"
#include "engine/support/append_file.h"
#include "engine/support/format.h"

namespace palimpsest::report {
namespace {

using BySeed = std::map<std::int64_t, double>;

Spread over(const BySeed& values) {
    std::vector<double> list;
    for (const auto& [seed, value] : values) list.push_back(value);
    return spread(list);
}

Spread paired(const BySeed& values, const BySeed& baseline) {
    std::vector<double> differences;
    for (const auto& [seed, value] : values)
        if (const auto other = baseline.find(seed); other != baseline.end())
            differences.push_back(value - other->second);
    return spread(differences);
}

std::string differenceCell(const Spread& difference) {
    if (difference.count == 0) return "–";
    const std::string mean = signedPerCent(difference.mean);
    return difference.count == 1 ? mean : mean + " ± " + perCent(difference.deviation);
}

std::string secondsCell(const Spread& seconds) {
    return seconds.count == 0 ? "–" : fixedText(seconds.mean, 1);
}

std::string millisecondsCell(const Spread& seconds) {
    return seconds.count == 0 ? "–" : fixedText(1000 * seconds.mean, 0);
}

std::string parametersCell(const SweepTableLine& line) {
    return line.parameters == 0 ? "–" : grouped(line.parameters);
}

/// Cells of the two tables, header first; what Markdown and LaTeX share.
struct Sheets {
    TextSheet values;
    TextSheet differences;  ///< the header alone when there is nothing to compare
};

Sheets sheetsOf(const SweepTable& table, const std::vector<std::string>& symbols) {
    Sheets sheets{{{"Row", "Seeds"}}, {{"Row", "Compared with", "Seeds"}}};
    for (auto* sheet : {&sheets.values, &sheets.differences})
        sheet->front().insert(sheet->front().end(), symbols.begin(), symbols.end());
    for (const char* column : {"Seconds", "ms a batch", "Parameters"}) sheets.values.front().emplace_back(column);
    for (std::size_t i = 0; i < table.lines.size(); ++i) {
        const SweepTableLine& line = table.lines[i];
        std::vector<std::string> values = {line.name, std::to_string(line.runs)};
        for (const SweepCell& cell : line.cells) values.push_back(spreadPerCent(cell.value));
        values.push_back(secondsCell(line.seconds));
        values.push_back(millisecondsCell(line.batch_seconds));
        values.push_back(parametersCell(line));
        sheets.values.push_back(std::move(values));
        if (line.baseline == i) continue;

        std::int64_t pairs = 0;
        for (const SweepCell& cell : line.cells) pairs = std::max(pairs, cell.difference.count);
        std::vector<std::string> differences = {line.name, table.lines[line.baseline].name, std::to_string(pairs)};
        for (const SweepCell& cell : line.cells) differences.push_back(differenceCell(cell.difference));
        sheets.differences.push_back(std::move(differences));
    }
    return sheets;
}

const char* const kValuesCaption = "In per cent, mean ± sample standard deviation over the seeds.";
const char* const kDifferencesCaption =
    "Differences in percentage points, seed by seed: mean ± sample standard deviation over the seeds that both have.";

/// Empty when all runs had the same number of threads, with which numbers repeat bit for bit.
std::string threadsNote(const SweepTable& table) {
    if (table.threads.size() < 2) return {};
    std::vector<std::string> counts;
    for (const std::int64_t count : table.threads) counts.push_back(std::to_string(count));
    return "The runs computed with different numbers of threads (" + joined(counts, ", ") +
           "), which changes their last digits.";
}

std::vector<std::string> symbolsOf(const SweepTable& table, bool tex) {
    std::vector<std::string> symbols;
    for (const Metric* metric : table.metrics) symbols.push_back(tex ? texSymbol(metric->symbol) : metric->symbol);
    return symbols;
}

}  // namespace

std::vector<std::string> sweepMetrics() {
    std::vector<std::string> keys;
    for (const Metric& metric : metrics()) keys.emplace_back(metric.key);
    return keys;
}

SweepTable tabulate(const SweepPlan& plan, const std::vector<SweepResult>& results) {
    SweepTable table;
    table.title = plan.title;
    for (const std::string& key : plan.metrics) {
        const auto known =
            std::find_if(metrics().begin(), metrics().end(), [&](const Metric& metric) { return metric.key == key; });
        if (known != metrics().end()) table.metrics.push_back(&*known);
    }
    std::vector<std::vector<BySeed>> values(plan.lines.size(), std::vector<BySeed>(table.metrics.size()));
    std::vector<BySeed> seconds(plan.lines.size()), batches(plan.lines.size());
    std::vector<std::int64_t> parameters(plan.lines.size(), 0);
    for (std::size_t i = 0; i < plan.runs.size(); ++i) {
        if (results[i].state != RecordedState::Finished) continue;
        const SweepRun& run = plan.runs[i];
        const Summary& summary = results[i].summary;
        for (std::size_t m = 0; m < table.metrics.size(); ++m)
            if (const std::optional<double> value = summary.*(table.metrics[m]->value))
                values[run.line][m][run.experiment.seed] = *value;
        seconds[run.line][run.experiment.seed] = summary.seconds;
        if (summary.batch_seconds > 0) batches[run.line][run.experiment.seed] = summary.batch_seconds;
        parameters[run.line] = std::max(parameters[run.line], results[i].parameters);
        table.threads.insert(results[i].threads);
    }
    for (std::size_t line = 0; line < plan.lines.size(); ++line) {
        const std::size_t baseline = plan.lines[line].baseline;
        SweepTableLine made{plan.lines[line].name, baseline,        std::ssize(seconds[line]), {}, over(seconds[line]),
                            over(batches[line]),   parameters[line]};
        for (std::size_t m = 0; m < table.metrics.size(); ++m) {
            made.cells.push_back(
                {over(values[line][m]), baseline == line ? Spread{} : paired(values[line][m], values[baseline][m])});
        }
        table.lines.push_back(std::move(made));
    }
    return table;
}

std::string sweepMarkdown(const SweepTable& table) {
    const Sheets sheets = sheetsOf(table, symbolsOf(table, false));
    std::string text = "# " + (table.title.empty() ? "Sweep" : markdownText(table.title)) + "\n\n" + kValuesCaption +
                       "\n\n" + markdownSheet(sheets.values, 1);
    if (sheets.differences.size() > 1)
        text += std::string("\n") + kDifferencesCaption + "\n\n" + markdownSheet(sheets.differences, 2);
    if (const std::string note = threadsNote(table); !note.empty()) text += "\n" + note + "\n";
    return text;
}

std::string sweepLatex(const SweepTable& table) {
    const Sheets sheets = sheetsOf(table, symbolsOf(table, true));
    const std::string title = table.title.empty() ? "" : table.title + ". ";
    const std::string note = threadsNote(table).empty() ? "" : " " + threadsNote(table);
    std::string text = kTexNeeds + texTable(title + kValuesCaption + note, texSheet(sheets.values, 1));
    if (sheets.differences.size() > 1)
        text += "\n" + texTable(title + kDifferencesCaption, texSheet(sheets.differences, 2));
    return text;
}

std::string sweepCsv(const SweepTable& table) {
    std::string text = "row,baseline,runs";
    for (const Metric* metric : table.metrics)
        for (const char* column : {"mean", "std", "difference", "difference_std", "pairs"})
            text += std::string(",") + metric->key + "_" + column;
    text += ",seconds,batch_seconds,parameters\n";
    // A single value has no deviation, and none has no mean either.
    const auto columns = [](const Spread& values) {
        return "," + (values.count > 0 ? shortestDigits(values.mean) : "") + "," +
               (values.count > 1 ? shortestDigits(values.deviation) : "");
    };
    for (std::size_t i = 0; i < table.lines.size(); ++i) {
        const SweepTableLine& line = table.lines[i];
        text += csvCell(std::string_view(line.name)) + "," +
                (line.baseline == i ? "" : csvCell(std::string_view(table.lines[line.baseline].name))) + "," +
                std::to_string(line.runs);
        for (const SweepCell& cell : line.cells)
            text += columns(cell.value) + columns(cell.difference) + "," + std::to_string(cell.difference.count);
        for (const Spread& spent : {line.seconds, line.batch_seconds})
            text += "," + (spent.count > 0 ? shortestDigits(spent.mean) : "");
        text += "," + (line.parameters > 0 ? std::to_string(line.parameters) : "") + "\n";
    }
    return text;
}

}  // namespace palimpsest::report
