// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>

namespace palimpsest {

/// Name of the file in a copy that says where it comes from.
inline constexpr const char* kCopyMark = "copy-of.txt";
/// Where a folder of this machine was copied from; empty where it was not.
std::string copiedFrom(const std::filesystem::path& folder);
/// True for a run's folder that is a copy, or lies in a copy of a sweep or of a folder of runs.
bool liesInCopy(const std::filesystem::path& run);
/// How run.json names the folder of a run that this machine computes in a copy, where it went on.
std::string computedIn(const std::filesystem::path& run);

}  // namespace palimpsest
