// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <functional>

#include "engine/config/option_table.h"

namespace palimpsest {

/// Calls `check` for the experiments of a grid file that its sweep in `folder` has still to run, one for each row with
/// each combination of what varies: what they name says what the sweep needs. Those that begin with prompts which the
/// sweep makes itself come without prompts. Reads files; throws Error(Input) for what is no grid, and what `check`
/// throws, an Error with grid and row in front.
void checkSweepInputs(const OptionTable& table, const std::filesystem::path& grid, const std::filesystem::path& folder,
                      const std::function<void(const Experiment&)>& check);

}  // namespace palimpsest
