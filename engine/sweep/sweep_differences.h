// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "engine/sweep/sweep_grid.h"

namespace palimpsest {

/// The first thing in which two grids differ: "seeds: 1, 2 there, 1, 2, 3 here". Empty when they ask for the same.
std::string sweepDifference(const SweepGrid& there, const SweepGrid& here);

}  // namespace palimpsest
