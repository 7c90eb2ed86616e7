// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>

namespace palimpsest {

/// What was written to the file, or the names in the folder, are on the disk when it returns. Throws Error(Input) when
/// the disk says that they are not.
void syncFile(const std::filesystem::path& file);

/// SHA-256 of a file's bytes; empty when it cannot be read.
std::string fileHash(const std::filesystem::path& file);

}  // namespace palimpsest
