// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/adaptation/adaptation_state.h"
#include "engine/config/option_table.h"

namespace palimpsest {

/// Values of the options that an adaptation depends on, by their keys.
AdaptationFacts adaptationOptions(const OptionTable& table, const Experiment& experiment);

/// Command line that makes the same prompts again, with every option that differs from its default.
std::string adaptationCommand(const OptionTable& table, const Experiment& experiment,
                              const std::filesystem::path& file);

}  // namespace palimpsest
