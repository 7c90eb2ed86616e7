// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/report/run_groups.h"

#include <algorithm>
#include <map>
#include <set>

#include "engine/config/experiment_file.h"
#include "engine/support/error.h"

namespace palimpsest::report {
namespace {

namespace fs = std::filesystem;

bool there(const fs::path& path) {
    std::error_code unreadable;
    return fs::exists(path, unreadable);
}

bool isRun(const fs::path& folder) {
    return there(folder / "run.json");
}

bool finished(const RunRecord& run) {
    return run.state == "finished";
}

std::string quoted(const fs::path& folder) {
    return "“" + folder.filename().string() + "”";
}

/// Everything but the seed.
std::string groupKey(const OptionTable& table, Experiment experiment) {
    experiment.seed = 0;
    return formatExperiment(table, experiment);
}

void keepFinished(RunGroup& group, std::vector<std::string>& warnings) {
    group.complete = std::any_of(group.runs.begin(), group.runs.end(), finished);
    for (const RunRecord& run : group.runs) {
        if (!finished(run)) {
            const std::string why = run.error.empty() ? run.state : run.state + ": " + run.error;
            warnings.push_back("Run " + quoted(run.folder) + " has not finished (" + why + "); " +
                               (group.complete ? "it is left out." : "what it has so far is shown."));
        }
    }
    if (group.complete) {
        std::erase_if(group.runs, [](const RunRecord& run) { return !finished(run); });
    }
}

/// How far a run got: sessions that have ended, then evaluations on the way.
std::pair<std::int64_t, std::size_t> progressOf(const RunRecord& run) {
    return {run.summary.sessions_ended, run.anytime.size()};
}

void keepOneRunASeed(RunGroup& group, std::vector<std::string>& warnings) {
    std::stable_sort(group.runs.begin(), group.runs.end(), [&](const RunRecord& a, const RunRecord& b) {
        if (a.experiment.seed != b.experiment.seed) return a.experiment.seed < b.experiment.seed;
        if (!group.complete && progressOf(a) != progressOf(b)) return progressOf(a) > progressOf(b);
        return a.started > b.started;
    });
    const auto same = [&](const RunRecord& a, const RunRecord& b) {
        if (a.experiment.seed != b.experiment.seed) {
            return false;
        }
        warnings.push_back("Seed " + std::to_string(a.experiment.seed) + " of “" + a.experiment.name +
                           "” was run more than once; only " +
                           (group.complete ? "the newest, " : "the one that got furthest, ") + quoted(a.folder) +
                           ", counts.");
        return true;
    };
    group.runs.erase(std::unique(group.runs.begin(), group.runs.end(), same), group.runs.end());
}

void warnOfMixtures(const RunGroup& group, std::vector<std::string>& warnings) {
    std::set<std::string> kinds;
    for (const RunRecord& run : group.runs) {
        kinds.insert(run.precision + " on " + run.device);
    }
    if (kinds.size() > 1) {
        std::string all;
        for (const std::string& kind : kinds) {
            all += (all.empty() ? "" : ", ") + kind;
        }
        warnings.push_back("The runs of “" + group.name + "” were computed in different ways: " + all + ".");
    }
}

void warnOfStreams(const std::vector<RunGroup>& groups, std::vector<std::string>& warnings) {
    std::map<std::int64_t, std::set<std::string>> streams;
    std::set<std::vector<std::int64_t>> seeds;
    for (const RunGroup& group : groups) {
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

void nameApart(const OptionTable& table, std::vector<RunGroup>& groups) {
    std::map<std::string, std::vector<std::size_t>> sharing;
    for (std::size_t k = 0; k < groups.size(); ++k) {
        sharing[groups[k].name].push_back(k);
    }
    for (const auto& [name, members] : sharing) {
        if (members.size() < 2) {
            continue;
        }
        std::vector<RunGroup> alike;
        for (const std::size_t k : members) {
            alike.push_back(groups[k]);
        }
        for (const Option* option : differingOptions(table, alike)) {
            for (const std::size_t k : members) {
                const Experiment& experiment = groups[k].runs.front().experiment;
                groups[k].name += ", " + spelled(*option, table.text(experiment, *option));
            }
        }
    }
}

}  // namespace

std::string RunGroup::stage() const {
    if (complete || runs.empty()) return {};
    // A run that ended before its first session did has no number that could be marked.
    std::set<std::int64_t> ended;
    for (const RunRecord& run : runs) {
        if (run.summary.sessions_ended > 0) ended.insert(run.summary.sessions_ended);
    }
    if (ended.empty()) return "before the first session ended";
    const std::string counted =
        (ended.size() == 1 ? "" : std::to_string(*ended.begin()) + " to ") + std::to_string(*ended.rbegin());
    return "after " + counted + " of " + std::to_string(runs.front().experiment.stream.sessions) + " sessions";
}

std::vector<fs::path> collectRunFolders(const std::vector<fs::path>& inputs) {
    std::vector<fs::path> folders;
    std::set<fs::path> known;
    const auto add = [&](const fs::path& folder) {
        std::error_code error;
        const fs::path real = fs::canonical(folder, error);
        if (known.insert(error ? folder : real).second) {
            folders.push_back(folder);
        }
    };
    for (const fs::path& input : inputs) {
        if (!there(input)) {
            throw inputError("There is no run at " + input.string() + ".", "Name a run folder or a folder of runs.");
        }
        if (isRun(input)) {
            add(input);
            continue;
        }
        const std::vector<fs::path> below = findRuns(there(input / "sweep.json") ? input / "runs" : input);
        if (below.empty()) {
            throw inputError(input.string() + " is neither a run nor a folder of runs.",
                             "A run folder holds a file run.json; palimpsest-cli run makes one.");
        }
        std::for_each(below.rbegin(), below.rend(), add);
    }
    if (folders.empty()) {
        throw inputError("There is no run to report on.", "Name at least one run folder or folder of runs.");
    }
    return folders;
}

std::vector<const Option*> differingOptions(const OptionTable& table, const std::vector<RunGroup>& groups) {
    std::vector<const Option*> differing;
    for (const Option& option : table.options()) {
        if (option.key == "seed" || option.key == "name") {
            continue;
        }
        std::set<std::string> values;
        for (const RunGroup& group : groups) {
            values.insert(table.text(group.runs.front().experiment, option));
        }
        if (values.size() > 1) {
            differing.push_back(&option);
        }
    }
    return differing;
}

RunSet groupRuns(const OptionTable& table, std::vector<RunRecord> records) {
    RunSet set;
    std::map<std::string, std::size_t> positions;
    for (RunRecord& record : records) {
        for (const std::string& warning : record.warnings) {
            set.warnings.push_back(quoted(record.folder) + ": " + warning);
        }
        const auto [position, fresh] = positions.emplace(groupKey(table, record.experiment), set.groups.size());
        if (fresh) {
            set.groups.push_back({record.experiment.name, {}, true});
        }
        set.groups[position->second].runs.push_back(std::move(record));
    }
    for (RunGroup& group : set.groups) {
        keepFinished(group, set.warnings);
        keepOneRunASeed(group, set.warnings);
    }
    nameApart(table, set.groups);
    for (const RunGroup& group : set.groups) {
        warnOfMixtures(group, set.warnings);
    }
    warnOfStreams(set.groups, set.warnings);

    std::set<std::string> fingerprints;
    for (const RunGroup& group : set.groups) {
        for (const RunRecord& run : group.runs) {
            fingerprints.insert(run.fingerprint);
        }
    }
    set.same_stream = fingerprints.size() == 1 && !fingerprints.begin()->empty();
    return set;
}

}  // namespace palimpsest::report
