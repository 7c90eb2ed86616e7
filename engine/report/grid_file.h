// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

#include "engine/support/file_io.h"
#include "engine/sweep/sweep_grid.h"

namespace palimpsest::report {

/// A grid read from its file, with the numbers that tables of sweeps have. Throws Error as readTextFile() and
/// parseSweepGrid() do.
SweepGrid readGridFile(const OptionTable& table, const std::filesystem::path& file, FilePlace place);

}  // namespace palimpsest::report
