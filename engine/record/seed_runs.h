// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/config/option_table.h"
#include "engine/run/live_change.h"

namespace palimpsest {

// Runs that are seeds of one experiment, and those of them that count in its mean: one rule for reports, the list of
// runs and the plots.

/// The same text for runs that differ in nothing but the seed: their settings and all that was changed on their way, at
/// the same moment. What was imported never joins what was run here.
std::string apartFromSeed(const OptionTable& table, const Experiment& experiment, bool imported,
                          const std::vector<LiveChange>& changes);

/// Facts of a run that decide whether it counts.
struct SeedRun {
    std::int64_t seed = 0;
    bool whole = false;    ///< learned its whole stream, or is another program's result
    bool running = false;  ///< is still learning
    std::int64_t sessions_ended = 0;
    std::int64_t samples_seen = 0;  ///< at its last evaluation
    std::string started;            ///< ISO 8601, UTC
};

/// Places of the runs that count, by seed. Where a run has finished, finished ones alone do; where none has, those that
/// stopped; where all are still running, all of them. A seed counts once: its newest run, or where none has finished
/// the one that got furthest.
std::vector<std::size_t> runsThatCount(const std::vector<SeedRun>& runs);

}  // namespace palimpsest
