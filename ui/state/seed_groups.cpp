// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/seed_groups.h"

#include <algorithm>
#include <map>

#include "engine/record/seed_runs.h"
#include "ui/state/run_label.h"
#include "ui/state/run_set.h"

namespace palimpsest {
namespace {

constexpr const char* kNow = "~";  // after any moment in ISO 8601

using Runs = std::vector<const ShownRun*>;

/// Label of the name that all of them have, or else of their method's.
LabelledRun labelledTogether(const Runs& runs) {
    LabelledRun together = labelled(*runs.front());
    const auto alike = [&](const ShownRun* run) {
        return run->facts->experiment.name == runs.front()->facts->experiment.name;
    };
    if (together.known && !std::all_of(runs.begin(), runs.end(), alike)) together.name.clear();
    return together;
}

}  // namespace

std::vector<const ShownRun*> countingRuns(std::vector<const ShownRun*> runs) {
    // The set has runs as they came; of two that began at one moment the later one counts as newer.
    std::reverse(runs.begin(), runs.end());
    std::vector<SeedRun> known;
    for (const ShownRun* run : runs)
        known.push_back({run->facts->experiment.seed, run->finished, run->inProgress(),
                         std::ssize(run->points.sessionEnds()),
                         run->points.anytime().empty() ? 0 : run->points.anytime().back().samples_seen,
                         run->facts->started.empty() ? kNow : run->facts->started});
    Runs counting;
    for (const std::size_t place : runsThatCount(known)) counting.push_back(runs[place]);
    return counting;
}

std::vector<SeedGroup> seedGroups(const RunSet& store, CurveKind kind) {
    std::map<std::string, Runs> known;
    for (const ShownRun* run : store.visibleRuns()) {
        const bool has_points =
            kind == CurveKind::Anytime ? !run->points.anytime().empty() : !run->points.retention().empty();
        if (has_points) known[run->seed_group].push_back(run);
    }
    std::vector<SeedGroup> groups;
    std::vector<LabelledRun> together;
    for (auto& [key, runs] : known) {
        Runs counting = countingRuns(std::move(runs));
        if (counting.size() < 2) continue;
        together.push_back(labelledTogether(counting));
        groups.push_back({key, std::move(counting), {}});
    }
    const QStringList labels = runLabels(store.table(), together);
    for (std::size_t i = 0; i < groups.size(); ++i) groups[i].label = labels[static_cast<int>(i)];
    return groups;
}

bool anySeedsShared(const RunSet& store) {
    std::map<std::string, Runs> known;
    for (const ShownRun* run : store.visibleRuns()) known[run->seed_group].push_back(run);
    return std::any_of(known.begin(), known.end(), [](const auto& group) {
        return group.second.size() > 1 && countingRuns(group.second).size() > 1;
    });
}

QString groupLabel(const RunSet& store, const std::vector<const ShownRun*>& runs) {
    return runLabels(store.table(), {labelledTogether(runs)}).first();
}

}  // namespace palimpsest
