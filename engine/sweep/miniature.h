// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <set>
#include <string>

#include "engine/sweep/sweep_plan.h"

namespace palimpsest {

/// Makes every run and initial session of a plan a matter of a second, to try a grid before it costs days: a small
/// backbone of random weights and images of 16 pixels, some 40 images of a stream in at most 8 sessions and 24 at a
/// time, a memory of 16, two updates a batch, one float32 thread of the processor. Rows, seeds, methods, masks and what
/// is learned from what stay; the numbers mean nothing. The data sets are those that the plan names, wherever they are
/// found.
void makeMiniature(const OptionTable& table, SweepPlan& plan);

/// Names of all data sets that a plan's runs and initial sessions read.
std::set<std::string> datasetsOf(const SweepPlan& plan);

}  // namespace palimpsest
