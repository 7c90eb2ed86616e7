// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "engine/config/option_table.h"

namespace palimpsest {

/// The experiment with its replay batch spelled out as resolvedMemory() says, and 0 where nothing is kept: however a
/// file says it, the same run has the same settings.
Experiment spelledOut(Experiment experiment);
/// The same text for experiments that are the same run: formatExperiment() of spelledOut().
std::string experimentIdentity(const OptionTable& table, const Experiment& experiment);
/// Likewise for runs of one experiment with several seeds, whatever they are called.
std::string identityApartFromSeed(const OptionTable& table, Experiment experiment);

/// The first option, in the order of the table, that two experiments have otherwise, whether or not it changes
/// anything: "mask.name: batch there, none here". Empty: there is none.
std::string firstSettingApart(const OptionTable& table, const Experiment& there, const Experiment& here);

/// A value as the user reads it: "batch", "DualPrompt", "500 images", "all", "on".
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
