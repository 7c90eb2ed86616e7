// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/report/run_groups.h"

#include <map>
#include <set>

#include "engine/config/option_table.h"
#include "engine/record/seed_runs.h"
#include "engine/report/group_options.h"
#include "engine/report/group_warnings.h"

namespace palimpsest::report {
namespace {

namespace fs = std::filesystem;

/// Somebody else's results are all there is of them.
bool finished(const RunRecord& run) {
    return run.state == RecordedState::Finished || run.state == RecordedState::Imported;
}

/// Everything but the seed.
std::string groupKey(const OptionTable& table, const RunRecord& run) {
    return apartFromSeed(table, run.experiment, run.state == RecordedState::Imported, run.changes);
}

/// Sets aside what does not count. The names of unfinished runs whose seed has a finished one go to `superseded`.
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
        if (repeat && known[i].whole == group.complete && known[i].goes_on == known[own->second].goes_on) {
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

ReportedRuns groupRuns(const OptionTable& table, std::vector<RunRecord> records) {
    ReportedRuns set;
    std::map<std::string, std::size_t> positions;
    for (RunRecord& record : records) {
        for (const std::string& warning : record.warnings) {
            set.warnings.push_back(quotedName(record.folder) + ": " + warning);
        }
        const auto [position, fresh] = positions.emplace(groupKey(table, record), set.groups.size());
        if (fresh) {
            set.groups.push_back({record.experiment.name, {}, true});
        }
        set.groups[position->second].runs.push_back(std::move(record));
    }
    std::vector<fs::path> superseded;
    for (RunGroup& group : set.groups) {
        keepCounting(group, set.warnings, superseded);
    }
    warnOfSuperseded(superseded, set.warnings);
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
