// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>

namespace palimpsest {

/// Name of the file in a copy that says where it comes from.
inline constexpr const char* kCopyMark = "copy-of.txt";
/// Where a folder of this machine was copied from; empty where it was not.
std::string copiedFrom(const std::filesystem::path& folder);

}  // namespace palimpsest
