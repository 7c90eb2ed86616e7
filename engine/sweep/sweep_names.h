// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace palimpsest {

/// Names of the grids that come with the program, sorted.
std::vector<std::string> sweepNames();

/// The file itself, or that of a grid that comes with the program. Throws Error(Input) that names the nearest one, and
/// all.
std::filesystem::path findSweepGrid(const std::string& fileOrName);

}  // namespace palimpsest
