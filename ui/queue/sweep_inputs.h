// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <vector>

#include "engine/config/option_table.h"

namespace palimpsest {

/// Experiments of a grid file that its sweep in `folder` has still to run, one for each row with each combination of
/// what varies: what they name says what the sweep needs. Those that begin with prompts which the sweep makes itself
/// come without prompts. Reads files; throws Error(Input) for what is no grid.
std::vector<Experiment> sweepExperiments(const OptionTable& table, const std::filesystem::path& grid,
                                         const std::filesystem::path& folder);

}  // namespace palimpsest
