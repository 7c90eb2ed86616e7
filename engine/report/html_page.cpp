// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/report/publication.h"

#include <algorithm>
#include <map>
#include <set>

#include "engine/config/experiment_file.h"
#include "engine/config/option_table.h"
#include "engine/metrics/metrics.h"
#include "engine/report/averages.h"
#include "engine/report/canvas.h"
#include "engine/report/captions.h"
#include "engine/report/comparison.h"
#include "engine/report/figure.h"
#include "engine/report/figure_drawing.h"
#include "engine/report/markup.h"
#include "engine/report/run_groups.h"
#include "engine/support/clock.h"
#include "engine/support/format.h"

namespace palimpsest::report {
namespace {

constexpr const char* kRules = R"css(
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--text);
  font: 15px/1.55 Inter, ui-sans-serif, system-ui, "DejaVu Sans", sans-serif; }
main { max-width: 960px; margin: 0 auto; padding: 40px 20px 64px; overflow-wrap: anywhere; }
h1 { font-size: 26px; line-height: 1.25; margin: 0 0 6px; letter-spacing: -.01em; }
h2 { font-size: 17px; margin: 40px 0 12px; }
h3 { font-size: 15px; margin: 0 0 4px; }
p { margin: 0 0 12px; max-width: 70ch; }
header p { max-width: none; }
.quiet, caption, .facts dt { color: var(--quiet); }
.card, figure { background: var(--panel); border: 1px solid var(--line); border-radius: 8px; margin: 0 0 12px;
  padding: 16px; }
figure { padding: 4px 4px 0; }
figure svg { display: block; width: 100%; height: auto; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { padding: 7px 12px 7px 0; text-align: right; vertical-align: top; border-bottom: 1px solid var(--line);
  white-space: nowrap; }
tbody tr:last-child > * { border-bottom: 0; }
th { font-weight: 600; }
thead th { font-size: 13px; }
thead small { display: block; font-weight: 400; color: var(--quiet); }
th:first-child, td:first-child, .words td, .words th { text-align: left; white-space: normal; min-width: 9em; }
.words td { overflow-wrap: anywhere; }
.runs { font-size: 13px; }
.runs th:first-child { min-width: 3em; }
.runs td { min-width: 8em; }
.runs code { white-space: nowrap; }
caption { text-align: left; padding-bottom: 8px; font-size: 13px; }
.delta { display: block; font-size: 12px; }
.better { color: var(--better); }
.worse { color: var(--worse); }
details { margin: 0; }
summary { cursor: pointer; padding: 8px 12px; color: var(--quiet); font-size: 13px; border-radius: 6px; }
summary:focus-visible { outline: 2px solid var(--accent); }
details[open] > summary { color: var(--text); }
figure details { border-top: 1px solid var(--line); }
figure details .scroll { padding: 0 12px 12px; max-height: 420px; overflow: auto; font-size: 13px; }
pre { margin: 0; padding: 12px; overflow-x: auto; background: var(--ground); border-radius: 6px;
  font: 13px/1.5 ui-monospace, "DejaVu Sans Mono", monospace; }
.warnings { border-left: 4px solid var(--attention); }
.warnings ul { margin: 0; padding-left: 18px; }
.metrics { display: grid; gap: 12px; grid-template-columns: repeat(auto-fit, minmax(280px, 1fr)); }
.metrics .card { margin: 0; }
.formula { font: 15px/1.7 "STIX Two Text", Cambria, Georgia, serif; margin: 6px 0; }
.tag { display: inline-block; border: 1px solid var(--line); border-radius: 999px; padding: 0 9px; font-size: 12px;
  color: var(--quiet); font-weight: 400; margin-left: 6px; }
code { font: .92em ui-monospace, "DejaVu Sans Mono", monospace; }
footer { margin-top: 40px; font-size: 13px; color: var(--quiet); }
)css";

/// Style sheet of the page: the colours of the inks by name, light and dark as the reader's system asks, light on
/// paper.
std::string pageStyle() {
    return ":root { color-scheme: light;" + pageColours(false) +
           " }\n@media screen and (prefers-color-scheme: dark) { :root { color-scheme: dark;" + pageColours(true) +
           " } }" + kRules;
}
std::string element(const std::string& name, const std::string& text) {
    return "<" + name + ">" + escapeMarkup(text) + "</" + name.substr(0, name.find(' ')) + ">";
}

constexpr std::size_t kMostHeading = 120;  // characters

/// A heading of a table with a name, which is short there and whole where the mouse rests.
std::string namedHeading(const std::string& scope, const std::string& name) {
    const std::string shown = shortName(name, kMostHeading);
    return element("th scope=\"" + scope + "\"" + (shown == name ? "" : " title=\"" + escapeMarkup(name) + "\""),
                   shown);
}

std::string pageTitle(const ReportedRuns& runs) {
    if (runs.groups.size() == 1) return runs.groups.front().name;
    return grouped(static_cast<std::int64_t>(runs.groups.size())) + " experiments compared";
}

std::string header(const OptionTable& table, const ReportedRuns& runs) {
    const auto own =
        std::find_if(runs.groups.begin(), runs.groups.end(), [](const RunGroup& group) { return !group.imported(); });
    const RunRecord& first = (own == runs.groups.end() ? runs.groups.front() : *own).runs.front();
    const Experiment& experiment = first.experiment;
    std::string text = "<header>\n" + element("h1", pageTitle(runs)) + "\n";
    std::string line = own == runs.groups.end() ? "Imported results"
                                                : choiceTitle(table.catalogue().datasets, experiment.stream.dataset);
    if (runs.groups.size() == 1 && own != runs.groups.end()) {
        line += " · " + counted(first.total_samples, "image", "images") + " in " +
                counted(experiment.stream.sessions, "session", "sessions") + " · " +
                methodTitle(table.catalogue(), experiment) + " · mask: " + maskTitle(table, first);
    }
    line += " · " + counted(static_cast<std::int64_t>(runs.runCount()), "run", "runs");
    return text + element("p class=\"quiet\"", line) + "\n</header>\n";
}

/// The runs' own warnings about their streams, each once, after ours.
std::string warningBox(const ReportedRuns& runs) {
    std::vector<std::string> all = runs.warnings;
    for (const RunGroup& group : runs.groups) {
        for (const RunRecord& run : group.runs) {
            for (const std::string& warning : run.origin.warnings) {
                const std::string named = "Seed " + std::to_string(run.experiment.seed) + ": " + inTitles(warning);
                if (std::find(all.begin(), all.end(), named) == all.end()) all.push_back(named);
            }
        }
    }
    if (all.empty()) return {};
    std::string text = "<section class=\"card warnings\" aria-label=\"Warnings\">\n<h3>Please note</h3>\n<ul>\n";
    for (const std::string& warning : all) text += element("li", warning) + "\n";
    return text + "</ul>\n</section>\n";
}

/// A number of a group beside that of the first one, as the table of evidence lists it.
struct GroupComparison {
    const RunGroup* group = nullptr;
    const Metric* metric = nullptr;
    Comparison comparison;
};

/// Evidence from runs of the same seed on the same stream alone: imported runs have made-up seeds, unfinished ones no
/// final numbers.
std::vector<GroupComparison> comparisonsOf(const ReportedRuns& runs) {
    std::vector<GroupComparison> made;
    const RunGroup& reference = runs.groups.front();
    for (const RunGroup& group : runs.groups) {
        if (&group == &reference || !group.complete || !reference.complete) continue;
        for (const Metric& metric : metrics()) {
            std::map<std::int64_t, double> own, other;
            for (const RunRecord& run : group.runs)
                for (const RunRecord& beside : reference.runs) {
                    const bool paired = !group.imported() && !reference.imported() &&
                                        run.experiment.seed == beside.experiment.seed &&
                                        run.fingerprint == beside.fingerprint;
                    const auto value = run.summary.*metric.value, base = beside.summary.*metric.value;
                    if (!paired || !value || !base) continue;
                    own[run.experiment.seed] = *value;
                    other[run.experiment.seed] = *base;
                }
            if (averageMetric(group, metric).count > 0 && averageMetric(reference, metric).count > 0)
                made.push_back({&group, &metric, compared(own, other)});
        }
    }
    std::vector<Comparison*> all;
    for (GroupComparison& one : made) all.push_back(&one.comparison);
    correctForAll(all);
    return made;
}

std::string metricCell(const Metric& metric, const RunGroup& group, const RunGroup& reference,
                       const std::vector<GroupComparison>& comparisons) {
    const Spread values = averageMetric(group, metric);
    std::string text = "<td>" + spreadPerCent(values);
    if (values.count > 0 && values.count != static_cast<std::int64_t>(group.runs.size()))
        text += " <span class=\"quiet\">(N = " + std::to_string(values.count) + ")</span>";
    if (!group.complete && values.count > 0)
        text += " <span class=\"quiet\">(" + (metric.on_the_way ? std::string("so far") : group.stage()) + ")</span>";
    const auto found = std::find_if(comparisons.begin(), comparisons.end(), [&](const GroupComparison& one) {
        return one.group == &group && one.metric == &metric;
    });
    if (found != comparisons.end()) {
        const PairedEvidence& evidence = found->comparison.evidence;
        const std::string finding = findingText(metric, evidence);
        const std::int64_t pairs = evidence.difference.count;
        const double difference =
            pairs > 0 ? evidence.difference.mean : values.mean - averageMetric(reference, metric).mean;
        text += "<span class=\"delta " + (evidence.distinguishable() ? finding : "quiet") + "\" title=\"" +
                escapeMarkup(evidenceText(evidence)) + "\">" + signedPerCent(difference) +
                (pairs > 0 ? " (n = " + std::to_string(pairs) + ")" : " (no common seed)") + "</span>";
    }
    return text + "</td>";
}

/// Interval, p and finding of each difference; empty where no two groups share two seeds.
std::string evidenceTable(const std::vector<GroupComparison>& comparisons) {
    std::size_t several = 0;
    for (const GroupComparison& one : comparisons) several += one.comparison.p ? 1 : 0;
    if (several == 0) return {};
    std::string text = "<section>\n<h2>How sure the differences are</h2>\n<div class=\"card scroll\">\n<table>\n" +
                       element("caption", evidenceCaption(several)) + "\n<thead><tr>";
    for (const char* head : {"Experiment", "Number", "Seeds", "Difference", "Interval", "p", "p (Holm)", "Finding"})
        text += element("th scope=\"col\"", head);
    text += "</tr></thead>\n<tbody>\n";
    for (const auto& [group, metric, comparison] : comparisons) {
        const auto& [evidence, p, p_holm] = comparison;
        text += "<tr>" + namedHeading("row", group->name);
        for (const std::string& cell :
             {std::string(metric->symbol), std::to_string(evidence.difference.count),
              evidence.difference.count == 0 ? std::string("–") : signedPerCent(evidence.difference.mean),
              intervalText(evidence), pText(p), pText(p_holm), findingText(*metric, evidence)})
            text += element("td", cell);
        text += "</tr>\n";
    }
    return text + "</tbody>\n</table>\n</div>\n</section>\n";
}

std::string metricTable(const ReportedRuns& runs) {
    const bool several = runs.groups.size() > 1;
    std::string caption =
        runs.averaged() ? "Per cent; mean ± sample standard deviation over N seeds (divided by N − 1)." : "Per cent.";
    caption += several
                   ? " Small: difference from the first row, between finished runs, over the n seeds that both have, "
                     "or of the means where they have none in common; in colour only where the 95 % interval of "
                     "the differences over three seeds or more excludes 0."
                   : "";
    const std::vector<GroupComparison> comparisons = comparisonsOf(runs);
    std::string text = "<section>\n<h2>Numbers</h2>\n<div class=\"card scroll\">\n<table>\n" +
                       element("caption", caption) +
                       "\n<thead><tr><th scope=\"col\">Experiment</th><th scope=\"col\">N</th>";
    const std::vector<const Metric*> tabled = tabledMetrics(runs.groups);
    for (const Metric* metric : tabled)
        text +=
            std::string("<th scope=\"col\">") + metric->symbol + "<small>" + toText(metric->family) + "</small></th>";
    text += "</tr></thead>\n<tbody>\n";
    for (const RunGroup& group : runs.groups) {
        text += "<tr>" + namedHeading("row", group.name) + "<td>" + std::to_string(group.runs.size()) + "</td>";
        for (const Metric* metric : tabled) text += metricCell(*metric, group, runs.groups.front(), comparisons);
        text += "</tr>\n";
    }
    return text + "</tbody>\n</table>\n</div>\n</section>\n" + evidenceTable(comparisons);
}

/// Lengths of prompts that the network or loaded prompts made different, whatever was given.
std::vector<const Option*> differingLengths(const OptionTable& table, const std::vector<RunGroup>& groups) {
    std::vector<const Option*> differing;
    for (const char* key : kPromptLengthOptions) {
        std::set<std::int64_t> lengths;
        for (const RunGroup& group : groups)
            if (const auto& known = group.runs.front().prompt_lengths; known.contains(key))
                lengths.insert(known.at(key));
        if (lengths.size() > 1) differing.push_back(table.find(key));
    }
    return differing;
}

std::string differenceTable(const OptionTable& table, const ReportedRuns& runs) {
    std::vector<const Option*> options = differingOptions(table, runs.groups);
    for (const Option* length : differingLengths(table, runs.groups))
        if (std::ranges::find(options, length) == options.end()) options.push_back(length);
    if (options.empty()) return {};
    std::string text =
        "<section>\n<h2>What differs</h2>\n<div class=\"card scroll\">\n<table class=\"words\">\n<thead><tr>"
        "<th scope=\"col\">Option</th>";
    for (const RunGroup& group : runs.groups) text += namedHeading("col", group.name);
    text += "</tr></thead>\n<tbody>\n";
    for (const Option* option : options) {
        text += "<tr><th scope=\"row\">" + escapeMarkup(option->title) + " <code>" + escapeMarkup(option->key) +
                "</code></th>";
        for (const RunGroup& group : runs.groups) {
            const RunRecord& run = group.runs.front();
            const bool known = !group.imported() && table.idleReason(run.experiment, *option).empty();
            text += element("td", known ? optionText(table, run, *option) : "–");
        }
        text += "</tr>\n";
    }
    return text + "</tbody>\n</table>\n</div>\n</section>\n";
}

std::string figureCard(const Figure& figure) {
    const FigureTable numbers = figureTable(figure);
    std::string text = "<figure id=\"" + figure.file + "\">\n" + figureForPage(figure) +
                       "<details><summary>The numbers of this figure</summary>\n<div class=\"scroll\"><table>\n" +
                       element("caption", figure.title + ": " + figure.subtitle) + "\n<thead><tr>";
    for (const std::string& name : numbers.head) text += element("th scope=\"col\"", name);
    text += "</tr></thead>\n<tbody>\n";
    for (const auto& row : numbers.rows) {
        text += "<tr>" + namedHeading("row", row.front());
        for (std::size_t k = 1; k < row.size(); ++k) text += element("td", row[k]);
        text += "</tr>\n";
    }
    return text + "</tbody>\n</table></div></details>\n</figure>\n";
}

std::string meanings(const ReportedRuns& runs) {
    std::string text =
        "<section>\n<h2>What the numbers mean</h2>\n"
        "<p>R<sub>i,j</sub> is the accuracy after session i on the test images of session j, of T sessions. The paper "
        "and its "
        "published code define last accuracy and forgetting differently, so both are given: quote the code's when you "
        "compare with published tables.</p>\n<div class=\"metrics\">\n";
    for (const Metric* metric : tabledMetrics(runs.groups)) {
        text += std::string("<div class=\"card\"><h3>") + metric->symbol + "<span class=\"tag\">" +
                toText(metric->family) + "</span></h3>\n<div class=\"quiet\">" + escapeMarkup(metric->title) +
                (metric->higher_is_better ? ", higher is better" : ", lower is better") +
                "</div>\n<div class=\"formula\">" + metric->formula + "</div>\n<div>" + escapeMarkup(metric->meaning) +
                " " + escapeMarkup(metric->undefined) + "</div></div>\n";
    }
    return text + "</div>\n</section>\n";
}

/// The parts that are known, with commas.
std::string listed(const std::vector<std::string>& parts) {
    std::string text;
    for (const std::string& part : parts) text += (text.empty() || part.empty() ? "" : ", ") + part;
    return text.empty() ? "–" : text;
}

/// "2025-03-02 10:00 UTC" of "2025-03-02T10:00:00.125Z"; other texts stay as they are.
std::string dayAndTime(const std::string& moment) {
    const std::string stamp = withoutFraction(moment);
    return stamp.size() == 20 && stamp[10] == 'T' && stamp.back() == 'Z'
               ? stamp.substr(0, 10) + " " + stamp.substr(11, 5) + " UTC"
               : moment;
}

std::string runRow(const RunRecord& run) {
    const Summary& summary = run.summary;
    const std::string time = summary.seconds > 0 ? fixedText(summary.seconds, 0) + " s" : "";
    const std::string speed =
        summary.images_per_second > 0 ? fixedText(summary.images_per_second, 0) + " images a second" : "";
    const std::string memory = summary.peak_memory_bytes > 0 ? byteCount(summary.peak_memory_bytes) + " at most" : "";
    return "<tr>" + element("th scope=\"row\"", std::to_string(run.experiment.seed)) +
           element("td", listed({toText(run.state), dayAndTime(run.started)})) +
           element("td", listed({time, speed, memory})) +
           element("td",
                   listed({run.device, run.precision, promptLengthsText(run.prompt_lengths), run.origin.versions})) +
           "<td><code>" + escapeMarkup(listed({run.fingerprint})) + "</code></td>" +
           element("td", run.folder.filename().string()) + "</tr>\n";
}

/// Where another program's results come from, what is not known of them, and its own settings where it tells them.
std::string importedCard(const RunRecord& run) {
    const std::string from = importedFrom(run.origin);
    if (run.origin.settings.empty())
        return element("p class=\"quiet\"", "Imported" + (from.empty() ? "" : " from " + from) +
                                                ": measured by another program, whose settings are not known here.") +
               "\n";
    std::string text = element("p class=\"quiet\"", "Imported from " + from + ": measured by another program.") + "\n";
    for (const std::string& note : run.origin.notes) text += element("p class=\"quiet\"", note) + "\n";
    std::string settings;
    for (const auto& [key, value] : run.origin.settings) settings += key + ": " + value + "\n";
    return text + "<details><summary>Every setting, in that program's words (seed " +
           std::to_string(run.experiment.seed) + ")</summary>\n<pre>" + escapeMarkup(settings) + "</pre></details>\n";
}

std::string experimentCard(const OptionTable& table, const RunGroup& group) {
    std::string text = "<div class=\"card\">" + element("h3", group.name) +
                       "\n<div class=\"scroll\"><table class=\"words runs\">\n<thead><tr>";
    for (const char* name : {"Seed", "State and start", "Cost", "Computed with", "Stream fingerprint", "Folder"})
        text += element("th scope=\"col\"", name);
    text += "</tr></thead>\n<tbody>\n";
    for (const RunRecord& run : group.runs) text += runRow(run);
    const RunRecord& first = group.runs.front();
    if (group.imported()) return text + "</tbody>\n</table></div>\n" + importedCard(first) + "</div>\n";
    const Experiment& experiment = first.experiment;
    std::string changed;
    for (const LiveChange& change : changesSince(first.changes, first.forked_at))
        changed += element("p class=\"quiet\"", "Changed after " + counted(change.at, "image", "images") + ": " +
                                                    changeText(table, change)) +
                   "\n";
    return text + "</tbody>\n</table></div>\n" + changed + "<details><summary>Every setting (seed " +
           std::to_string(experiment.seed) + ")</summary>\n<pre>" + escapeMarkup(formatExperiment(table, experiment)) +
           "</pre></details></div>\n";
}

}  // namespace

std::string pageColours(bool dark) {
    std::string text;
    for (const Ink ink : kInks)
        text += std::string(" ") + variableName(ink) + ": " + (dark ? darkColour(ink) : lightColour(ink)) + ";";
    return text + (dark ? " --ground: #16181d; --better: #3fb68b; --worse: #f28e5c; --attention: #e6a23c;"
                        : " --ground: #f6f7f9; --better: #18795a; --worse: #b04a00; --attention: #e6a23c;");
}

std::string htmlPage(const OptionTable& table, const ReportedRuns& runs, const std::vector<Figure>& figures,
                     const std::string& story) {
    std::string text =
        "<!DOCTYPE html>\n<html lang=\"en-GB\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta name=\"generator\" content=\"Palimpsest " PALIMPSEST_VERSION "\">\n" +
        element("title", pageTitle(runs) + " – Palimpsest") + "\n<style>\n" + pageStyle() +
        "</style>\n</head>\n<body>\n<main>\n" + header(table, runs) + warningBox(runs) + metricTable(runs) +
        "<section>\n<h2>Figures</h2>\n";
    for (const Figure& figure : figures) {
        text += figureCard(figure);
        if (&figure == &figures.front() && !story.empty()) text += element("p", story) + "\n";
    }
    text += "</section>\n" + differenceTable(table, runs) + "<section>\n<h2>Where the numbers come from</h2>\n";
    for (const RunGroup& group : runs.groups) text += experimentCard(table, group);
    return text + "</section>\n" + meanings(runs) +
           "<footer>Made by Palimpsest " PALIMPSEST_VERSION
           " from the run folders named above; they hold every number "
           "behind these figures.</footer>\n</main>\n</body>\n</html>\n";
}

}  // namespace palimpsest::report
