// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <stop_token>

#include "datasets/files/checksum.h"

namespace palimpsest {

/// Makes `to` the same file or folder as `from`, which stays as it is: by hard links where both lie on one disk, else
/// by copying. What was at `to` is thrown away. False when it was asked to stop; then, as after an error, nothing is
/// left at `to`. Throws Error(Input) for what cannot be read, Error(Run) for the disk. `progress` counts bytes.
bool adopt(const std::filesystem::path& from, const std::filesystem::path& to, const ByteProgress& progress,
           std::stop_token stop);

}  // namespace palimpsest
