// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/record/seed_runs.h"

#include <algorithm>
#include <map>
#include <utility>

#include "engine/config/experiment_differences.h"

namespace palimpsest {
namespace {

int rankOf(const SeedRun& run) {
    return run.whole ? 2 : run.running ? 0 : 1;
}

/// True when `run` counts in place of `other`, which has the same rank and seed.
bool replaces(const SeedRun& run, const SeedRun& other) {
    const std::pair own(run.sessions_ended, run.samples_seen), others(other.sessions_ended, other.samples_seen);
    if (!run.whole && own != others) return own > others;
    return run.started > other.started;
}

}  // namespace

std::string apartFromSeed(const OptionTable& table, const Experiment& experiment, bool imported,
                          const std::vector<LiveChange>& changes) {
    // Of another program's results the name alone says what was run.
    std::string text = imported ? "imported\n" + experiment.name + "\n" : std::string();
    text += identityApartFromSeed(table, experiment);
    for (const LiveChange& change : changes) text += std::to_string(change.at) + " " + toText(change) + "\n";
    return text;
}

std::vector<std::size_t> runsThatCount(const std::vector<SeedRun>& runs) {
    int best = 0;
    for (const SeedRun& run : runs) best = std::max(best, rankOf(run));
    std::map<std::int64_t, std::size_t> chosen;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        if (rankOf(runs[i]) != best) continue;
        const auto [place, fresh] = chosen.try_emplace(runs[i].seed, i);
        if (!fresh && replaces(runs[i], runs[place->second])) place->second = i;
    }
    std::vector<std::size_t> places;
    for (const auto& [seed, place] : chosen) places.push_back(place);
    return places;
}

}  // namespace palimpsest
