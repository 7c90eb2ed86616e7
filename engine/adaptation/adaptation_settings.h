// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>

#include "engine/adaptation/adaptation_state.h"
#include "engine/config/option_table.h"

namespace palimpsest {

/// Throws Error(Input) if initial_session.prompts is likely misspelt: neither a kind of adaptation nor a path of
/// prompts.
void checkAdaptationKind(const std::string& prompts);

/// The experiment with the kind of adaptation that PromptAdapter uses: FAM if the prompts are "none" or a file.
Experiment withAdaptationKind(Experiment experiment);

/// Values of the options that an adaptation depends on, by their keys.
AdaptationFacts adaptationOptions(const OptionTable& table, const Experiment& experiment);

/// Command line that makes the same prompts again, with every option that differs from its default.
std::string adaptationCommand(const OptionTable& table, const Experiment& experiment,
                              const std::filesystem::path& file);

}  // namespace palimpsest
