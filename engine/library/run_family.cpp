// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/library/run_family.h"

#include <string_view>
#include <unordered_map>

#include "engine/record/seed_runs.h"

namespace palimpsest {
namespace {

bool isWhole(const RunRow& row) {
    return row.state == RecordedState::Finished || row.imported();
}

bool isRunning(const RunRow& row) {
    return row.state == RecordedState::Running;
}

std::vector<std::size_t> countingOf(const std::vector<RunRowPtr>& rows, const RunFamily& family) {
    std::vector<SeedRun> runs;
    for (const std::size_t place : family.members) {
        const RunRow& row = *rows[place];
        runs.push_back({row.seed, isWhole(row), isRunning(row), row.sessions_ended, row.samples_seen, row.started});
    }
    std::vector<std::size_t> counting;
    for (const std::size_t member : runsThatCount(runs)) counting.push_back(family.members[member]);
    return counting;
}

Spread spreadOf(const std::vector<RunRowPtr>& rows, const std::vector<std::size_t>& counting, std::size_t metric) {
    const auto number = kListedMetrics[metric].value;
    std::vector<double> values;
    for (const std::size_t place : counting)
        if (const RunRow& row = *rows[place]; isFinal(row, metric) && row.*number) values.push_back(*(row.*number));
    return spread(values);
}

}  // namespace

bool endIsFinal(const RunRow& row) {
    // The last session may be cut short after its last anytime evaluation.
    return isWhole(row) || (!isRunning(row) && row.sessions_ended >= row.sessions);
}

bool areaIsFinal(const RunRow& row) {
    return endIsFinal(row) || (!isRunning(row) && row.area_whole);
}

bool isFinal(const RunRow& row, std::size_t metric) {
    return kListedMetrics[metric].value == &RunRow::a_auc ? areaIsFinal(row) : endIsFinal(row);
}

std::vector<RunFamily> familiesOf(const std::vector<RunRowPtr>& rows, const std::vector<std::size_t>& places) {
    std::vector<RunFamily> families;
    std::unordered_map<std::string_view, std::size_t> known;
    for (const std::size_t place : places) {
        const std::string& name = rows[place]->family;
        std::size_t at = families.size();
        // A run that was not read from its folder has no family.
        if (!name.empty()) at = known.try_emplace(name, at).first->second;
        if (at == families.size()) families.emplace_back();
        families[at].members.push_back(place);
    }
    for (RunFamily& family : families) {
        family.counting = countingOf(rows, family);
        for (std::size_t metric = 0; metric < kListedMetrics.size(); ++metric)
            family.spreads[metric] = spreadOf(rows, family.counting, metric);
    }
    return families;
}

}  // namespace palimpsest
