// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace palimpsest {

/// Files with one of these endings in a folder and all folders below, sorted. Throws Error(Input) when there is no such
/// folder or it cannot be read.
std::vector<std::filesystem::path> filesBelow(const std::filesystem::path& folder,
                                              const std::vector<std::string>& endings);

}  // namespace palimpsest
