// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/report/captions.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "engine/report/run_groups.h"
#include "engine/support/format.h"

namespace palimpsest::report {
namespace {

using Texts = std::vector<std::string>;

std::string sentence(const Texts& parts) {
    std::string text;
    for (const std::string& part : parts) text += (text.empty() || part.empty() ? "" : ", ") + part;
    return text;
}

/// The values that the runs of a group have, each once, in order.
template <class Value>
std::string each(const RunGroup& group, const Value& value) {
    std::set<std::string> values;
    for (const RunRecord& run : group.runs)
        if (const std::string text = value(run); !text.empty()) values.insert(text);
    std::string text;
    for (const std::string& one : values) text += (text.empty() ? "" : " and ") + one;
    return text;
}

/// "seeds 1–5", "seeds 1, 2 and 4", "seed 3".
std::string seedsOf(const RunGroup& group) {
    std::vector<std::int64_t> seeds;
    for (const RunRecord& run : group.runs) seeds.push_back(run.experiment.seed);
    std::sort(seeds.begin(), seeds.end());
    if (seeds.size() == 1) return "seed " + std::to_string(seeds.front());
    if (seeds.size() > 2 && seeds.back() - seeds.front() + 1 == std::ssize(seeds))
        return "seeds " + std::to_string(seeds.front()) + "–" + std::to_string(seeds.back());
    std::string text = "seeds ";
    for (std::size_t k = 0; k < seeds.size(); ++k)
        text += (k == 0 ? "" : k + 1 == seeds.size() ? " and " : ", ") + std::to_string(seeds[k]);
    return text;
}

std::string promptsOf(const OptionTable& table, const Experiment& experiment) {
    const Option* option = table.find("initial_session.prompts");
    if (!option || !option->isReadBy(experiment.method.name)) return {};
    const std::string& prompts = experiment.initial_session.prompts;
    if (prompts == "none") return "random initial prompts";
    // The path of a file of prompts would show private folders.
    return "initial prompts: " + std::filesystem::path(prompts).filename().string();
}

/// Other changes made while the runs went on: "learning rate: 0.005 → 0.001".
std::string otherChangesOf(const OptionTable& table, const RunRecord& run) {
    std::string text;
    std::set<std::string> listed{"mask.name"};
    for (const LiveChange& change : changesSince(run.changes, run.forked_at)) {
        const Option* option = table.find(change.key);
        if (!option || !listed.insert(change.key).second) continue;
        std::string title = option->title.empty() ? option->leaf() : option->title;
        if (title.front() >= 'A' && title.front() <= 'Z') title.front() += 'a' - 'A';
        text += (text.empty() ? "" : ", ") + title + ": " + optionText(table, run, *option);
    }
    return text;
}

/// Known facts of another program's results: their file and extent.
std::string importedFacts(const RunGroup& group) {
    const RunRecord& first = group.runs.front();
    const std::string source = each(group, [](const RunRecord& run) { return importedFrom(run.origin); });
    // Mostly the name of the group tells both.
    const auto untold = [&](const std::string& word) {
        return group.name.find(word) == std::string::npos ? word : std::string();
    };
    // A single run's seed may be made up, and every stream has one session at least.
    return sentence(
        {"imported" + (source.empty() ? "" : " from " + source), untold(first.origin.method),
         untold(first.origin.dataset), first.total_samples > 0 ? counted(first.total_samples, "image", "images") : "",
         first.session_starts.size() > 1 ? counted(std::ssize(first.session_starts), "session", "sessions") : "",
         group.runs.size() > 1 ? seedsOf(group) : "", first.origin.settings.empty() ? "settings not known" : ""});
}

/// One fact a line, in the order of the caption.
Texts factsOf(const OptionTable& table, const RunGroup& group) {
    const RunRecord& first = group.runs.front();
    const Experiment& experiment = first.experiment;
    const StreamOptions& stream = experiment.stream;
    const Catalogue& catalogue = table.catalogue();
    const bool imported = stream.isImported();
    return {
        choiceTitle(catalogue.datasets, stream.dataset),
        (first.total_samples > 0 ? counted(first.total_samples, "image", "images") + " in " : std::string()) +
            counted(stream.sessions, "session", "sessions"),
        imported ? "an imported stream" : std::to_string(stream.disjoint_percent) + " % disjoint classes",
        imported ? "" : std::to_string(stream.blurry_percent) + " % blurry images",
        "method: " + methodTitle(catalogue, experiment),
        "logit mask: " + maskTitle(table, first),
        otherChangesOf(table, first),
        promptsOf(table, experiment),
        each(group, [](const RunRecord& run) { return promptLengthsText(run.prompt_lengths); }),
        experiment.memory.size > 0 ? "memory of " + counted(experiment.memory.size, "image", "images")
                                   : std::string("no memory"),
        seedsOf(group),
        each(group, [](const RunRecord& run) { return run.device.empty() ? "" : "computed on " + run.device; }),
        each(group, [](const RunRecord& run) { return run.precision.empty() ? "" : "in " + run.precision; }),
        group.stage(),
    };
}

std::string capitalised(std::string text) {
    if (!text.empty() && text.front() >= 'a' && text.front() <= 'z') text.front() += 'A' - 'a';
    return text;
}

}  // namespace

std::string choiceTitle(const std::vector<Choice>& choices, const std::string& value) {
    for (const Choice& choice : choices)
        if (choice.value == value && !choice.title.empty()) return choice.title;
    return value;
}

std::string maskTitle(const OptionTable& table, const RunRecord& run) {
    const std::string& begun = run.experiment.mask.name;
    const Option* option = table.find("mask.name");
    const std::string values = option ? optionText(table, run, *option) : begun;
    return values == begun ? choiceTitle(table.catalogue().masks, begun) : values;
}

std::string conditionsOf(const OptionTable& table, const ReportedRuns& runs) {
    std::vector<Texts> facts;  // of those whose settings are known
    std::vector<std::string> names;
    std::string imported;
    for (const RunGroup& group : runs.groups) {
        if (group.imported()) {
            imported += " " + group.name + ": " + importedFacts(group) + ".";
            continue;
        }
        facts.push_back(factsOf(table, group));
        names.push_back(group.name);
    }
    Texts shared;
    // Beside imported results the facts of one experiment must not read as those of all.
    if (!facts.empty() && (facts.size() > 1 || imported.empty())) shared = facts.front();
    for (std::size_t fact = 0; fact < shared.size(); ++fact) {
        const bool same =
            std::all_of(facts.begin(), facts.end(), [&](const Texts& own) { return own[fact] == facts.front()[fact]; });
        if (!same) {
            shared[fact].clear();
            continue;
        }
        for (Texts& own : facts) own[fact].clear();
    }
    std::string text = capitalised(sentence(shared));
    if (!text.empty()) text += ".";
    for (std::size_t k = 0; k < facts.size(); ++k) {
        const std::string own = sentence(facts[k]);
        if (!own.empty()) text += (text.empty() ? "" : " ") + names[k] + ": " + own + ".";
    }
    return text.empty() && !imported.empty() ? imported.substr(1) : text + imported;
}

std::string figureCaption(const OptionTable& table, const ReportedRuns& runs, const Figure& figure) {
    // "Anytime accuracy on all classes", but "R matrix: accuracy after ...".
    std::string text = figure.title + (figure.subtitle.starts_with("on ") ? " " : ": ") + figure.subtitle;
    constexpr std::string_view kUnit = ", %";
    if (const std::size_t at = text.find(kUnit); at != std::string::npos)
        text.replace(at, kUnit.size(), " in per cent");
    text += runs.averaged() && text.find("deviation") != std::string::npos ? " (divided by N − 1)." : ".";
    return text + " " + conditionsOf(table, runs);
}

}  // namespace palimpsest::report
