// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <filesystem>
#include <vector>

#include "engine/sweep/sweep_plan.h"

namespace palimpsest {

/// Checks inputs before anything is written: throws Error(Input), which names grid and row, when weights, prompts or
/// blocks of one of these runs (indices in the plan) do not fit; see ExperimentCheck. Weights are read once for each
/// set of backbone options. GivenUp when the thread's StopScope asks for it.
void requireSweepFiles(const OptionTable& table, const SweepPlan& plan, const std::vector<std::size_t>& places,
                       const std::filesystem::path& grid);

/// The same for the data sets of these runs.
void requireSweepData(const SweepPlan& plan, const std::vector<std::size_t>& places, const std::filesystem::path& grid);

}  // namespace palimpsest
