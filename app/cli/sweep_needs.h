// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/config/option_table.h"
#include "engine/sweep/sweep_plan.h"

namespace palimpsest {

/// Something that a sweep needs and that is not there.
struct SweepNeed {
    std::string kind;      ///< "data set", "weights" or "prompts"
    std::string name;      ///< "cifar100", "vit-b16-in21k"
    std::string problem;   ///< one sentence
    std::string remedy;    ///< how to get it, one sentence; may be empty
    std::size_t rows = 0;  ///< lines of the table that need it
};

/// All data sets, weights and prompts that these runs (indices in the plan) and their initial sessions need and that
/// are not there or cannot be read, each once. Opens no file of weights. Throws only GivenUp, when the thread's
/// StopScope asks for it.
std::vector<SweepNeed> missingInputs(const OptionTable& table, const SweepPlan& plan,
                                     const std::vector<std::size_t>& places);

/// The file beside these prompts that holds their adaptation while it is not finished.
std::filesystem::path promptsState(const std::filesystem::path& file);

/// The prompts of an initial session are finished.
bool promptsMade(const std::filesystem::path& file);

/// A run or an initial session as it can be checked before its prompts are made: without any.
Experiment withoutPromptsToCome(const Experiment& experiment);

/// An experiment whose stream is the data that an initial session learns from, so that they can be looked for alike.
Experiment sessionData(const OptionTable& table, const Experiment& session);

}  // namespace palimpsest
