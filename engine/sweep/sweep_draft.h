// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/sweep/sweep_grid.h"

namespace palimpsest {

/// A grid as it is put together in the window: one experiment, and options that take several values each.
struct SweepDraft {
    struct Axis {
        std::string key;
        std::string values;  ///< "0.001, 0.01"; parted by semicolons where a value has commas itself: "0,1; 2,3"
    };
    std::string title;
    Experiment base;
    std::vector<Axis> axes;
    std::string seeds;  ///< see parsedSeeds()
};

/// Values that the option takes, as an axis names them: "none, seen", "0.005, 0.01". Empty where none is at hand.
std::string exampleValues(const Option& option);
/// The values of an axis, each checked alone. Throws Error(Input) that names the option and the value.
std::vector<OptionValue> axisValues(const OptionTable& table, const SweepDraft::Axis& axis);
/// Throws Error(Input), one sentence, for an axis without an option or twice, for values that do not fit, come twice or
/// are missing, for seeds that do not fit, and for more than kMostSweepRuns runs.
SweepGrid gridOf(const OptionTable& table, const SweepDraft& draft);
/// Rows times seeds.
std::int64_t runsOf(const SweepGrid& grid);
/// A grid file, which parseSweepGrid() reads as the same grid: it stands on the preset "default" with every option
/// written out, so it means the same wherever it lies. Rows, sessions and published numbers are not written: a draft
/// has none.
std::string formatSweepGrid(const SweepGrid& grid);

}  // namespace palimpsest
