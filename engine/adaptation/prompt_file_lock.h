// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <memory>

#include "datasets/files/folder_lock.h"

namespace palimpsest {

/// One adaptation at a time writes to a file: the claim goes with its holder, also when that is killed. Null where none
/// could be made; what stands in the way of writing is not told here. Throws Error(Input) where another has it.
std::unique_ptr<FolderLock> claimPrompts(const std::filesystem::path& file);

}  // namespace palimpsest
