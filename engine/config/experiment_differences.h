// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "engine/config/option_table.h"

namespace palimpsest {

/// A value for people: "batch", "DualPrompt", "500 images", "all", "on".
std::string valueText(const Option& option, const OptionValue& value);

/// An option in which two experiments differ.
struct ExperimentDifference {
    const Option* option;  ///< of the table
    std::string before, after;
    std::string text() const { return option->title + ": " + before + " → " + after; }
};

/// In the order of the table. The name does not count, nor does what changes nothing in either of the two.
std::vector<ExperimentDifference> experimentDifferences(const OptionTable& table, const Experiment& before,
                                                        const Experiment& after);

}  // namespace palimpsest
