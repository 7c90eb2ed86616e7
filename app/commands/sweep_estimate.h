// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <vector>

#include "engine/config/option_table.h"
#include "engine/sweep/sweep_plan.h"

namespace palimpsest {

/// Prints what these runs of a plan (indices) and their initial sessions lack, and what they would take on this machine
/// in time, memory and disk. Each distinct pair of method and backbone is measured on a few drawn images, and scaled by
/// the numbers of images, updates and evaluations. Returns the exit code.
int estimateSweep(const OptionTable& table, const SweepPlan& plan, const std::vector<std::size_t>& places, bool json);

}  // namespace palimpsest
