// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/report/sweep_table.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>

#include "engine/metrics/metrics.h"
#include "engine/report/averages.h"
#include "engine/report/markup.h"
#include "engine/support/append_file.h"
#include "engine/support/format.h"
#include "engine/support/json.h"

namespace palimpsest::report {
namespace {

using BySeed = std::map<std::int64_t, double>;

Spread over(const BySeed& values) {
    std::vector<double> list;
    for (const auto& [seed, value] : values) list.push_back(value);
    return spread(list);
}

/// `pairs`: seeds that the row says it is compared over.
std::string differenceCell(const Spread& difference, std::int64_t pairs) {
    if (difference.count == 0) return "–";
    const std::string mean = signedPerCent(difference.mean);
    return (difference.count == 1 ? mean : mean + " ± " + perCent(difference.deviation)) +
           fewerMark(difference.count, pairs);
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
    TextSheet evidence;     ///< a line for each number of each row that is compared
    TextSheet published;    ///< a line for each number of each row that was published
};

/// The mean here less the published one; absent while no run has finished.
std::optional<double> fromPublished(const SweepCell& cell) {
    if (!cell.published || cell.value.count == 0) return std::nullopt;
    return cell.value.mean - cell.published->mean;
}

Sheets sheetsOf(const SweepTable& table, const std::vector<std::string>& symbols) {
    Sheets sheets{{{"Row", "Seeds"}},
                  {{"Row", "Compared with", "Seeds"}},
                  {{"Row", "Compared with", "Number", "Finding", "Seeds", "Interval", "p", "p (Holm)"}},
                  {{"Row", "Number", "Seeds", "Here", "Published", "Difference"}}};
    for (auto* sheet : {&sheets.values, &sheets.differences})
        sheet->front().insert(sheet->front().end(), symbols.begin(), symbols.end());
    for (const char* column : {"Seconds", "ms a batch", "Parameters"}) sheets.values.front().emplace_back(column);
    for (std::size_t i = 0; i < table.lines.size(); ++i) {
        const SweepTableLine& line = table.lines[i];
        std::vector<std::string> values = {line.name, std::to_string(line.runs)};
        for (const SweepCell& cell : line.cells)
            values.push_back(spreadPerCent(cell.value) + fewerMark(cell.value.count, line.runs));
        values.push_back(secondsCell(line.seconds));
        values.push_back(millisecondsCell(line.batch_seconds));
        values.push_back(parametersCell(line));
        sheets.values.push_back(std::move(values));
        for (std::size_t m = 0; m < line.cells.size(); ++m) {
            const SweepCell& cell = line.cells[m];
            if (!cell.published) continue;
            const std::optional<double> difference = fromPublished(cell);
            std::string printed = perCent(cell.published->mean);
            if (cell.published->deviation) printed += " ± " + perCent(*cell.published->deviation);
            sheets.published.push_back({line.name, symbols[m], std::to_string(cell.value.count),
                                        spreadPerCent(cell.value), std::move(printed),
                                        difference ? signedPerCent(*difference) : "–"});
        }
        if (line.baseline == i) continue;

        std::int64_t pairs = 0;
        for (const SweepCell& cell : line.cells) pairs = std::max(pairs, cell.difference().count);
        std::vector<std::string> differences = {line.name, table.lines[line.baseline].name, std::to_string(pairs)};
        for (const SweepCell& cell : line.cells) differences.push_back(differenceCell(cell.difference(), pairs));
        sheets.differences.push_back(std::move(differences));
        for (std::size_t m = 0; m < line.cells.size(); ++m) {
            const auto& [evidence, p, p_holm] = line.cells[m].comparison;
            if (evidence.difference.count == 0) continue;
            sheets.evidence.push_back({line.name, table.lines[line.baseline].name, table.metrics[m]->symbol,
                                       findingText(*table.metrics[m], evidence),
                                       std::to_string(evidence.difference.count), intervalText(evidence), pText(p),
                                       pText(p_holm)});
        }
    }
    return sheets;
}

const char* const kValuesCaption = "In per cent, mean ± sample standard deviation over the seeds.";
const char* const kDifferencesCaption =
    "Differences in percentage points, seed by seed: mean ± sample standard deviation over the seeds that both have.";

/// The caption, and what the marks of numbers that fewer seeds have mean, where there are some.
std::string captionOf(const char* caption, const TextSheet& sheet, std::size_t textColumns) {
    const bool marked = std::any_of(sheet.begin() + 1, sheet.end(), [&](const std::vector<std::string>& row) {
        return std::any_of(row.begin() + static_cast<std::ptrdiff_t>(textColumns), row.end(),
                           [](const std::string& cell) { return cell.ends_with(']'); });
    });
    return std::string(caption) + (marked ? std::string(" ") + kFewerCaption : "");
}

std::string publishedCaption(const SweepTable& table) {
    return "Beside the published numbers" + (table.published_in.empty() ? "" : " of " + table.published_in) +
           ", in per cent; the difference, in percentage points, is the mean here less the published one.";
}

/// "Seen mask: float32; Batch mask, No mask: bfloat16", in the order of the table; empty where all rows are alike.
std::string rowsApart(const SweepTable& table, std::set<std::string> RunConditions::*condition) {
    constexpr std::size_t kMostNamed = 3;
    std::vector<std::string> kinds;
    std::map<std::string, std::vector<std::string>> rows;
    for (const SweepTableLine& line : table.lines) {
        const std::string kind =
            joined({(line.conditions.*condition).begin(), (line.conditions.*condition).end()}, " and ");
        if (kind.empty()) continue;
        if (rows[kind].empty()) kinds.push_back(kind);
        rows[kind].push_back(line.name);
    }
    if (kinds.size() < 2) return {};
    std::string text;
    for (const std::string& kind : kinds) {
        std::vector<std::string> names = rows[kind];
        const std::size_t more = names.size() > kMostNamed ? names.size() - kMostNamed : 0;
        names.resize(names.size() - more);
        text += (text.empty() ? "" : "; ") + joined(names, ", ") +
                (more > 0 ? " and " + std::to_string(more) + " more" : "") + ": " + kind;
    }
    return text;
}

/// A sentence for each thing besides method and seed in which runs differ, whether within a row or between rows.
std::vector<std::string> notesOf(const SweepTable& table) {
    struct Kind {
        std::set<std::string> RunConditions::*condition;
        const char* words;
        const char* effect;
    };
    const char* const foreign = "so that differences may be theirs and not the method's";
    std::vector<std::string> notes;
    for (const auto& [condition, words, effect] :
         {Kind{&RunConditions::threads, "with different numbers of threads", "which changes their last digits"},
          Kind{&RunConditions::precisions, "in different precisions", foreign},
          Kind{&RunConditions::devices, "on different devices", foreign},
          Kind{&RunConditions::processors, "on different processors", "which may change their last digits"},
          Kind{&RunConditions::versions, "with different versions of the programs", foreign}}) {
        std::set<std::string> all;
        for (const SweepTableLine& line : table.lines)
            all.insert((line.conditions.*condition).begin(), (line.conditions.*condition).end());
        if (all.size() < 2) continue;
        const std::string rows = rowsApart(table, condition);
        const char* between = condition == &RunConditions::versions ? "; " : ", ";  // a text of versions has commas
        notes.push_back(std::string("The runs computed ") + words + " (" + joined({all.begin(), all.end()}, between) +
                        "), " + effect + "." + (rows.empty() ? "" : " " + rows + "."));
    }
    std::vector<std::string> moved;
    for (const SweepTableLine& line : table.lines)
        for (const std::int64_t seed : line.conditions.moved)
            moved.push_back(line.name + ", seed " + std::to_string(seed));
    if (!moved.empty())
        notes.push_back("Continued elsewhere, not bit for bit: " + joined(moved, "; ") +
                        ". Another processor than the one it began on computed the rest.");
    return notes;
}

std::size_t comparisonsIn(const SweepTable& table) {
    std::size_t count = 0;
    for (const SweepTableLine& line : table.lines)
        for (const SweepCell& cell : line.cells) count += cell.comparison.p ? 1 : 0;
    return count;
}

std::vector<std::string> symbolsOf(const SweepTable& table, bool tex) {
    std::vector<std::string> symbols;
    for (const Metric* metric : table.metrics) symbols.push_back(tex ? texSymbol(metric->symbol) : metric->symbol);
    return symbols;
}

}  // namespace

bool SweepTable::hasPublished() const {
    return std::ranges::any_of(lines, [](const SweepTableLine& line) {
        return std::ranges::any_of(line.cells, [](const SweepCell& cell) { return cell.published.has_value(); });
    });
}

bool SweepTable::isMeasured(std::size_t metric) const {
    return std::ranges::any_of(lines, [metric](const SweepTableLine& line) {
        return metric < line.cells.size() && line.cells[metric].value.count > 0;
    });
}

std::vector<std::string> sweepMetrics() {
    std::vector<std::string> keys;
    for (const Metric& metric : metrics()) keys.emplace_back(metric.key);
    return keys;
}

SweepTable tabulate(const SweepPlan& plan, const std::vector<SweepResult>& results) {
    SweepTable table;
    table.title = plan.title;
    table.published_in = plan.published_in;
    for (const std::string& key : plan.metrics) {
        const auto known =
            std::find_if(metrics().begin(), metrics().end(), [&](const Metric& metric) { return metric.key == key; });
        if (known != metrics().end()) table.metrics.push_back(&*known);
    }
    std::vector<std::vector<BySeed>> values(plan.lines.size(), std::vector<BySeed>(table.metrics.size()));
    std::vector<BySeed> seconds(plan.lines.size()), batches(plan.lines.size());
    std::vector<std::int64_t> parameters(plan.lines.size(), 0);
    std::vector<RunConditions> conditions(plan.lines.size());
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
        const auto add = [](std::set<std::string>& values, const std::string& value) {
            if (!value.empty()) values.insert(value);
        };
        RunConditions& known = conditions[run.line];
        add(known.threads, results[i].threads > 0 ? std::to_string(results[i].threads) : "");
        add(known.precisions, results[i].precision);
        add(known.devices, results[i].device);
        // A GPU's numbers do not depend on the processor beside it.
        if (results[i].device == "cpu")
            for (const std::string& processor : results[i].processors) add(known.processors, processor);
        if (results[i].isContinuedElsewhere()) known.moved.push_back(run.experiment.seed);
        add(known.versions, results[i].versions);
    }
    for (std::size_t line = 0; line < plan.lines.size(); ++line) {
        const std::size_t baseline = plan.lines[line].baseline;
        SweepTableLine made{plan.lines[line].name, baseline,         std::ssize(seconds[line]), {}, over(seconds[line]),
                            over(batches[line]),   parameters[line], conditions[line]};
        for (std::size_t m = 0; m < table.metrics.size(); ++m) {
            made.cells.push_back({over(values[line][m]),
                                  baseline == line ? Comparison() : compared(values[line][m], values[baseline][m])});
            for (const PublishedNumber& number : plan.lines[line].published)
                if (number.metric == table.metrics[m]->key) made.cells.back().published = number;
        }
        table.lines.push_back(std::move(made));
    }
    std::vector<Comparison*> comparisons;
    for (SweepTableLine& line : table.lines)
        for (SweepCell& cell : line.cells) comparisons.push_back(&cell.comparison);
    correctForAll(comparisons);
    return table;
}

std::string sweepMarkdown(const SweepTable& table) {
    const Sheets sheets = sheetsOf(table, symbolsOf(table, false));
    std::string text = "# " + (table.title.empty() ? "Sweep" : markdownText(table.title)) + "\n\n" +
                       captionOf(kValuesCaption, sheets.values, 1) + "\n\n" + markdownSheet(sheets.values, 1);
    if (sheets.differences.size() > 1)
        text += "\n" + captionOf(kDifferencesCaption, sheets.differences, 2) + "\n\n" +
                markdownSheet(sheets.differences, 2);
    if (sheets.evidence.size() > 1)
        text += "\n" + markdownText(evidenceCaption(comparisonsIn(table))) + "\n\n" + markdownSheet(sheets.evidence, 4);
    if (sheets.published.size() > 1)
        text += "\n" + markdownText(publishedCaption(table)) + "\n\n" + markdownSheet(sheets.published, 2);
    for (const std::string& note : notesOf(table)) text += "\n" + markdownText(note) + "\n";
    return text;
}

std::string sweepLatex(const SweepTable& table) {
    const Sheets sheets = sheetsOf(table, symbolsOf(table, true));
    const std::string title = table.title.empty() ? "" : table.title + ". ";
    std::string notes;
    for (const std::string& note : notesOf(table)) notes += " " + note;
    std::string text = kTexNeeds + texLongNames(sheets.values) +
                       texTable(title + captionOf(kValuesCaption, sheets.values, 1) + notes,
                                texSheet(withTexNames(sheets.values, 1), 1));
    if (sheets.differences.size() > 1)
        text += "\n" + texTable(title + captionOf(kDifferencesCaption, sheets.differences, 2),
                                texSheet(withTexNames(sheets.differences, 2), 2));
    if (sheets.evidence.size() > 1)
        text += "\n" +
                texTable(title + evidenceCaption(comparisonsIn(table)), texSheet(withTexNames(sheets.evidence, 2), 4));
    if (sheets.published.size() > 1)
        text += "\n" + texTable(title + publishedCaption(table), texSheet(withTexNames(sheets.published, 1), 2));
    return text;
}

std::string sweepCsv(const SweepTable& table) {
    std::string text = "row,baseline,runs";
    for (const Metric* metric : table.metrics)
        for (const char* column : {"mean", "std", "difference", "difference_std", "pairs"})
            text += std::string(",") + metric->key + "_" + column;
    text += ",seconds,batch_seconds,parameters";
    for (const Metric* metric : table.metrics)
        for (const char* column : {"low", "high", "p", "p_holm", "seeds_needed"})
            text += std::string(",") + metric->key + "_" + column;
    text += ",precision,device,versions,processors";
    const bool published = table.hasPublished();
    if (published)
        for (const Metric* metric : table.metrics)
            for (const char* column : {"published", "published_std", "published_difference"})
                text += std::string(",") + metric->key + "_" + column;
    text += "\n";
    const auto digits = [](const std::optional<double>& value) { return "," + (value ? shortestDigits(*value) : ""); };
    // A single value has no deviation, and none has no mean either.
    const auto columns = [](const Spread& values) {
        return "," + (values.count > 0 ? shortestDigits(values.mean) : "") + "," +
               (values.count > 1 ? shortestDigits(values.deviation) : "");
    };
    for (std::size_t i = 0; i < table.lines.size(); ++i) {
        const SweepTableLine& line = table.lines[i];
        text += tableCell(std::string_view(line.name)) + "," +
                (line.baseline == i ? "" : tableCell(std::string_view(table.lines[line.baseline].name))) + "," +
                std::to_string(line.runs);
        for (const SweepCell& cell : line.cells)
            text += columns(cell.value) + columns(cell.difference()) + "," + std::to_string(cell.difference().count);
        for (const Spread& spent : {line.seconds, line.batch_seconds})
            text += "," + (spent.count > 0 ? shortestDigits(spent.mean) : "");
        text += "," + (line.parameters > 0 ? std::to_string(line.parameters) : "");
        for (const SweepCell& cell : line.cells) {
            const Comparison& comparison = cell.comparison;
            const PairedEvidence& evidence = comparison.evidence;
            text += evidence.half_width ? digits(evidence.low()) + digits(evidence.high()) : ",,";
            text += digits(comparison.p) + digits(comparison.p_holm) + "," +
                    (evidence.seeds_needed ? std::to_string(*evidence.seeds_needed) : "");
        }
        for (const auto* known : {&line.conditions.precisions, &line.conditions.devices, &line.conditions.versions,
                                  &line.conditions.processors})
            text += "," + tableCell(std::string_view(joined({known->begin(), known->end()}, "; ")));
        for (const SweepCell& cell : line.cells)
            if (published)
                text += (cell.published ? digits(cell.published->mean) + digits(cell.published->deviation) : ",,") +
                        digits(fromPublished(cell));
        text += "\n";
    }
    return text;
}

std::string sweepDifferencesJson(const SweepTable& table) {
    Json list = Json::array();
    for (std::size_t i = 0; i < table.lines.size(); ++i) {
        const SweepTableLine& line = table.lines[i];
        for (std::size_t m = 0; m < line.cells.size(); ++m) {
            const auto& [evidence, p, p_holm] = line.cells[m].comparison;
            const Spread& difference = evidence.difference;
            if (line.baseline == i || difference.count == 0) continue;
            list.push_back({{"row", line.name},
                            {"baseline", table.lines[line.baseline].name},
                            {"metric", table.metrics[m]->key},
                            {"pairs", difference.count},
                            {"mean", difference.mean},
                            {"std", difference.count > 1 ? Json(difference.deviation) : Json(nullptr)},
                            {"low", evidence.half_width ? Json(evidence.low()) : Json(nullptr)},
                            {"high", evidence.half_width ? Json(evidence.high()) : Json(nullptr)},
                            {"p", orNull(p)},
                            {"p_holm", orNull(p_holm)},
                            {"seeds_needed", evidence.seeds_needed ? Json(*evidence.seeds_needed) : Json(nullptr)},
                            {"finding", findingText(*table.metrics[m], evidence)}});
        }
    }
    return list.dump();
}

std::string sweepPublishedJson(const SweepTable& table) {
    Json list = Json::array();
    for (const SweepTableLine& line : table.lines) {
        for (std::size_t m = 0; m < line.cells.size(); ++m) {
            const SweepCell& cell = line.cells[m];
            if (!cell.published) continue;
            list.push_back({{"row", line.name},
                            {"metric", table.metrics[m]->key},
                            {"seeds", cell.value.count},
                            {"mean", cell.value.count > 0 ? Json(cell.value.mean) : Json(nullptr)},
                            {"std", cell.value.count > 1 ? Json(cell.value.deviation) : Json(nullptr)},
                            {"published", cell.published->mean},
                            {"published_std", orNull(cell.published->deviation)},
                            {"difference", orNull(fromPublished(cell))}});
        }
    }
    return list.dump();
}

}  // namespace palimpsest::report
