// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace palimpsest {

/// Reads the whole file. Throws Error(Input) when it is missing, no regular file, unreadable or larger than `most`
/// bytes.
std::vector<std::uint8_t> readFileBytes(const std::filesystem::path& path, std::uint64_t most);

/// The lines of a small text file (64 MiB at most), without their Unix or Windows line ends.
std::vector<std::string> readTextLines(const std::filesystem::path& path);

}  // namespace palimpsest
