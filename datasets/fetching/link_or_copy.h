// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <stop_token>

#include "datasets/files/file_content.h"

namespace palimpsest {

/// Makes `to` the same file or folder as `from`, which is not changed: by hard links if both are on one disk, else by
/// copying. An existing `to` is deleted. False when stopped; then, as after an error, `to` does not exist. Throws
/// Error(Input) for an unreadable source, Error(Run) for the disk. `progress` counts bytes.
bool linkOrCopy(const std::filesystem::path& from, const std::filesystem::path& to, const ByteProgress& progress,
                std::stop_token stop);

}  // namespace palimpsest
