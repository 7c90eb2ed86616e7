// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <vector>

namespace palimpsest {

// Deleted runs lie in `.trash` of the folder of runs until the user empties it. All throw Error(Input) that says what
// could not be done.

std::filesystem::path trashOf(const std::filesystem::path& runs);
/// Its folder in the trash. Refuses a running run, and folders that are not among `runs`.
std::filesystem::path moveToTrash(const std::filesystem::path& runs, const std::filesystem::path& run);
/// Moves a run from the trash back; its folder, which has another name where the old one is taken.
std::filesystem::path restoreFromTrash(const std::filesystem::path& runs, const std::filesystem::path& trashed);
/// Throws Error(Input) where the trash cannot be read.
std::vector<std::filesystem::path> trashedRuns(const std::filesystem::path& runs);
/// Deletes what is in the trash for good; how many runs that were.
std::size_t emptyTrash(const std::filesystem::path& runs);

}  // namespace palimpsest
