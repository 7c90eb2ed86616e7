// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "engine/config/option_table.h"
#include "engine/run/live_change.h"

namespace palimpsest {

/// True for a run that keeps checkpoints and ended before it wrote its first one: it has measured nothing, so it can
/// begin anew in its folder. False where tables or predictions cannot be read: there may be something in them. A fork
/// has its parent's past, and is none. Never throws.
bool neverLearned(const OptionTable& table, const std::filesystem::path& folder);
/// The experiment of a run that ended early, for resuming it: on the device, in the precision and with the threads that
/// it had. Throws Error(Input) for a folder that is no run, and a run that is whole, is still running, or comes from
/// elsewhere.
Experiment resumableExperiment(const OptionTable& table, const std::filesystem::path& folder);
/// The experiment of any run with checkpoints, on the device, in the precision and with the threads that it had: for a
/// fork. Throws Error(Input) for a folder that is no run, and for a run that was imported.
Experiment pinnedExperiment(const OptionTable& table, const std::filesystem::path& folder);
/// Experiment that a fork of such a run begins with: its experiment as it was at the checkpoint after so many samples,
/// under a name that says so. `changes`: of the run, from changesSinceBegin().
Experiment forkedExperiment(const OptionTable& table, const Experiment& parent, const std::vector<LiveChange>& changes,
                            std::int64_t at);
/// Experiment that a run began with, likewise, to repeat it. Throws Error(Input) for a folder that is no run, and for a
/// fork.
Experiment repeatableExperiment(const OptionTable& table, const std::filesystem::path& folder);

}  // namespace palimpsest
