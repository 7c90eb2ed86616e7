// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

namespace palimpsest {

/// For a run that says "running" on another machine, whose processes cannot be asked: notes in run.json that it was
/// interrupted, if an earlier start of this very task of a job queue computed it. A queue begins a task again only
/// after it has ended it, as when a machine goes down. True when that was so. Throws Error(Run) where it cannot be
/// written.
bool takeOverFromEarlierStart(const std::filesystem::path& run);

}  // namespace palimpsest
