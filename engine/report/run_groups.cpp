// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/report/run_groups.h"

#include <algorithm>
#include <map>
#include <set>

#include "engine/config/experiment_differences.h"
#include "engine/config/option_table.h"
#include "engine/record/seed_runs.h"
#include "engine/report/markup.h"

namespace palimpsest::report {

namespace {

namespace fs = std::filesystem;

/// True for a run that learned its whole stream. Results of another program count as whole: there is no more of them.
bool finished(const RunRecord& run) {
    return run.state == RecordedState::Finished || run.state == RecordedState::Imported;
}

/// The same text for runs that differ in nothing but the seed.
std::string groupKey(const OptionTable& table, const RunRecord& run) {
    return apartFromSeed(table, run.experiment, run.state == RecordedState::Imported, run.changes);
}

/// Folder of a run by its name: “0001-er-1”.
std::string quotedName(const std::filesystem::path& folder) {
    return "“" + folder.filename().string() + "”";
}

/// Removes the runs that do not count. The names of unfinished runs whose seed has a finished one go to `superseded`.
void keepCounting(RunGroup& group, std::vector<std::string>& warnings, std::vector<fs::path>& superseded) {
    std::vector<SeedRun> known;
    for (const RunRecord& run : group.runs)
        known.push_back({run.experiment.seed, finished(run), run.state == RecordedState::Running,
                         run.summary.sessions_ended, run.anytime.empty() ? 0 : run.anytime.back().samples_seen,
                         run.started});
    const std::vector<std::size_t> counting = runsThatCount(known);
    group.complete = finished(group.runs[counting.front()]);
    std::map<std::int64_t, std::size_t> of_seed;
    for (const std::size_t place : counting) of_seed[known[place].seed] = place;

    std::vector<std::string> repeats;
    for (std::size_t i = 0; i < group.runs.size(); ++i) {
        const RunRecord& run = group.runs[i];
        const auto own = of_seed.find(known[i].seed);
        const bool counts = own != of_seed.end() && own->second == i;
        const bool repeat = own != of_seed.end() && !counts;
        if (repeat && known[i].whole == group.complete && known[i].running == known[own->second].running) {
            repeats.push_back("Seed " + std::to_string(run.experiment.seed) + " of “" + run.experiment.name +
                              "” was run more than once; only " +
                              (group.complete ? "the newest, " : "the one that got furthest, ") +
                              quotedName(group.runs[own->second].folder) + ", counts.");
        } else if (repeat && group.complete) {
            superseded.push_back(run.folder);
        }
        if (finished(run) || (group.complete && own != of_seed.end())) continue;
        const std::string state = toText(run.state);
        const std::string why = run.error.empty() ? state : state + ": " + inTitles(run.error);
        warnings.push_back("Run " + quotedName(run.folder) + " has not finished (" + why + "); " +
                           (counts ? "what it has so far is shown." : "it is left out."));
    }
    warnings.insert(warnings.end(), repeats.begin(), repeats.end());
    std::vector<RunRecord> kept;
    for (const std::size_t place : counting) kept.push_back(std::move(group.runs[place]));
    group.runs = std::move(kept);
}

/// "logit mask: Seen classes", "training images: 600", "training images: all".
std::string spelled(const Option& option, const std::string& value) {
    std::string title = option.title.empty() ? option.leaf() : option.title;
    // "CutMix" and "SGD" keep their capitals.
    const bool plain = std::none_of(title.begin() + 1, title.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
    const char first = title.front();
    if (plain && first >= 'A' && first <= 'Z') title.front() = static_cast<char>(first - 'A' + 'a');
    const auto choice = std::find_if(option.choices.begin(), option.choices.end(),
                                     [&](const Choice& known) { return known.value == value; });
    if (choice != option.choices.end() && !choice->title.empty()) return title + ": " + choice->title;
    const bool least = !option.special.empty() && value == toText(static_cast<std::int64_t>(option.minimum));
    return title + ": " + (least ? option.special : value);
}

bool matters(const OptionTable& table, const Experiment& experiment, const Option& option) {
    return table.idleReason(experiment, option).empty();
}

/// The value that an option began with and those that it was changed to.
std::string valuesOf(const RunRecord& run, const Option& option, const std::string& begun) {
    return valuesInTurn(begun, changesSince(run.changes, run.forked_at), option.key);
}

/// Numbers groups that differ in nothing that a name could show.
void numberAlike(std::vector<RunGroup>& groups) {
    std::map<std::string, int> sharing, given;
    for (const RunGroup& group : groups) ++sharing[group.name];
    for (RunGroup& group : groups) {
        if (sharing[group.name] < 2) continue;
        const int number = ++given[group.name];
        group.name += " (" + std::to_string(number) + ")";
    }
}

/// Gives groups that share a name what sets them apart ("er, logit mask: Seen classes"), or else a number.
void nameApart(const OptionTable& table, std::vector<RunGroup>& groups) {
    std::map<std::string, std::vector<std::size_t>> sharing;
    for (std::size_t k = 0; k < groups.size(); ++k) sharing[groups[k].name].push_back(k);
    for (const auto& [name, members] : sharing) {
        if (members.size() < 2) continue;
        std::vector<RunGroup> alike;
        for (const std::size_t k : members) alike.push_back(groups[k]);
        for (const Option* option : differingOptions(table, alike)) {
            for (const std::size_t k : members) {
                const RunRecord& run = groups[k].runs.front();
                if (!matters(table, run.experiment, *option)) continue;
                groups[k].name += ", " + spelled(*option, optionText(table, run, *option));
            }
        }
    }
    numberAlike(groups);
}

/// Adds one sentence about runs that have not finished and whose seed was run again to the end. A sweep that was
/// resumed several times has many of them, and none is missing in its numbers.
void warnOfSuperseded(const std::vector<std::filesystem::path>& folders, std::vector<std::string>& warnings) {
    if (folders.empty()) return;
    constexpr std::size_t kMostNamed = 3;
    std::string names;
    for (std::size_t k = 0; k < std::min(folders.size(), kMostNamed); ++k)
        names += (k == 0 ? "" : ", ") + quotedName(folders[k]);
    if (folders.size() > kMostNamed) names += " and " + std::to_string(folders.size() - kMostNamed) + " more";
    warnings.push_back((folders.size() == 1
                            ? "A run that has not finished is left out, since the same seed was run again"
                            : std::to_string(folders.size()) +
                                  " runs that have not finished are left out, since the same seeds were "
                                  "run again") +
                       std::string(" to the end: ") + names + ".");
}

/// Warns of runs of one group that were computed on different devices or in different precisions.
void warnOfMixtures(const RunGroup& group, std::vector<std::string>& warnings) {
    std::set<std::string> kinds;
    for (const RunRecord& run : group.runs) kinds.insert(run.precision + " on " + run.device);
    if (kinds.size() > 1) {
        std::string all;
        for (const std::string& kind : kinds) all += (all.empty() ? "" : ", ") + kind;
        warnings.push_back("The runs of “" + group.name + "” were computed in different ways: " + all + ".");
    }
}

/// Warns of groups that were computed on different devices, in different precisions or by different versions.
void warnBetween(const std::vector<RunGroup>& groups, std::vector<std::string>& warnings) {
    std::map<std::string, std::string> ways;  // and the first group that was computed so
    for (const RunGroup& group : groups) {
        if (group.imported()) continue;
        std::set<std::string> kinds;
        for (const RunRecord& run : group.runs) {
            const std::string versions = run.origin.versions;
            kinds.insert(run.precision + " on " + run.device + (versions.empty() ? "" : ", " + versions));
        }
        ways.emplace(joined({kinds.begin(), kinds.end()}, "; "), group.name);
    }
    if (ways.size() < 2) return;
    std::string all;
    for (const auto& [way, name] : ways) all += (all.empty() ? "“" : "; “") + name + "”: " + way;
    warnings.push_back(
        "The experiments were not all computed in the same way, so differences between them may be due to that and not "
        "to the method (" +
        all + ").");
}

/// Warns of groups whose streams or seeds differ, or are not known.
void warnOfStreams(const std::vector<RunGroup>& groups, std::vector<std::string>& warnings) {
    std::map<std::int64_t, std::set<std::string>> streams;
    std::set<std::vector<std::int64_t>> seeds;
    for (const RunGroup& group : groups) {
        if (group.imported()) {
            warnings.push_back("“" + group.name +
                               "” was imported: neither its settings nor its stream are known here.");
            continue;
        }
        std::vector<std::int64_t> own;
        for (const RunRecord& run : group.runs) {
            streams[run.experiment.seed].insert(run.fingerprint);
            own.push_back(run.experiment.seed);
        }
        seeds.insert(own);
    }
    for (const auto& [seed, fingerprints] : streams) {
        if (fingerprints.size() > 1) {
            warnings.push_back("The experiments see different streams (first at seed " + std::to_string(seed) +
                               "), so differences between them are not due to the method alone.");
            break;
        }
    }
    if (seeds.size() > 1) {
        warnings.emplace_back(
            "The experiments were not run with the same seeds, so their means are not of the same streams.");
    }
}

}  // namespace

std::string optionText(const OptionTable& table, const RunRecord& run, const Option& option) {
    const std::string values = valuesOf(run, option, table.text(run.experiment, option));
    const auto length = run.prompt_lengths.find(option.key);
    return length != run.prompt_lengths.end() && values == "0" ? std::to_string(length->second) + " (for 0)" : values;
}

std::string changeText(const OptionTable& table, const LiveChange& change) {
    const Option* option = table.find(change.key);
    return option ? spelled(*option, change.value) : toText(change);
}

std::vector<const Option*> differingOptions(const OptionTable& table, const std::vector<RunGroup>& groups) {
    std::vector<const Option*> differing;
    for (const Option& option : table.options()) {
        if (option.key == "seed" || option.key == "name") continue;
        std::set<std::string> values;
        for (const RunGroup& group : groups) {
            if (group.imported()) continue;
            const RunRecord& run = group.runs.front();
            if (!matters(table, run.experiment, option)) continue;
            values.insert(valuesOf(run, option, table.text(spelledOut(run.experiment), option)));
        }
        if (values.size() > 1) differing.push_back(&option);
    }
    return differing;
}

std::string RunGroup::stage() const {
    if (complete || runs.empty()) return {};
    // A run that ended before its first session did has no number that could be marked.
    std::set<std::int64_t> ended;
    for (const RunRecord& run : runs)
        if (run.summary.sessions_ended > 0) ended.insert(run.summary.sessions_ended);
    if (ended.empty()) return "before the first session ended";
    const std::string counted =
        (ended.size() == 1 ? "" : std::to_string(*ended.begin()) + " to ") + std::to_string(*ended.rbegin());
    return "after " + counted + " of " + std::to_string(runs.front().experiment.stream.sessions) + " sessions";
}

std::size_t ReportedRuns::runCount() const {
    std::size_t count = 0;
    for (const RunGroup& group : groups) count += group.runs.size();
    return count;
}

bool ReportedRuns::averaged() const {
    return std::any_of(groups.begin(), groups.end(), [](const RunGroup& group) { return group.runs.size() > 1; });
}

void noteUnread(ReportedRuns& runs, const fs::path& folder, const std::vector<std::string>& sentences) {
    for (const std::string& sentence : sentences) {
        runs.unread.push_back(quotedName(folder) + ": " + sentence);
        runs.warnings.push_back(runs.unread.back());
    }
}

ReportedRuns groupRuns(const OptionTable& table, std::vector<RunRecord> records) {
    ReportedRuns set;
    std::map<std::string, std::size_t> positions;
    for (RunRecord& record : records) {
        noteUnread(set, record.folder, record.warnings);
        const auto [position, fresh] = positions.emplace(groupKey(table, record), set.groups.size());
        if (fresh) set.groups.push_back({record.experiment.name, {}, true});
        set.groups[position->second].runs.push_back(std::move(record));
    }
    std::vector<fs::path> superseded;
    for (RunGroup& group : set.groups) keepCounting(group, set.warnings, superseded);
    warnOfSuperseded(superseded, set.warnings);
    nameApart(table, set.groups);
    for (const RunGroup& group : set.groups) warnOfMixtures(group, set.warnings);
    warnBetween(set.groups, set.warnings);
    warnOfStreams(set.groups, set.warnings);

    std::set<std::string> fingerprints;
    for (const RunGroup& group : set.groups)
        for (const RunRecord& run : group.runs) fingerprints.insert(run.fingerprint);
    set.same_stream = fingerprints.size() == 1 && !fingerprints.begin()->empty();
    return set;
}

}  // namespace palimpsest::report
