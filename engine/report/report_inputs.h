// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace palimpsest::report {

/// Run folders among the inputs, and one level below those that are not runs themselves: oldest first, or for a sweep
/// (its folder, or that folder's `runs`) in the order of its grid. Each once.
/// Throws Error(Input) for an input that is neither.
std::vector<std::filesystem::path> collectRunFolders(const std::vector<std::filesystem::path>& inputs);

}  // namespace palimpsest::report
