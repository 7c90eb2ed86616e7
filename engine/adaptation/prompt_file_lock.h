// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <memory>

#include "datasets/files/folder_lock.h"

namespace palimpsest {

/// Lock on a file of prompts for one adaptation, released with its holder, also when the process is killed. Null if no
/// lock could be made, whose cause is not reported here. Throws Error(Input) if another adaptation holds it.
std::unique_ptr<FolderLock> claimPrompts(const std::filesystem::path& file);

}  // namespace palimpsest
