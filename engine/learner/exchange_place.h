// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "engine/support/file_lock.h"
#include "engine/support/scratch_folder.h"

namespace palimpsest {

/// A folder below which files for a learner may lie.
struct ExchangePlace {
    std::filesystem::path folder;
    std::uint64_t room = 0;  ///< bytes that are free
};

/// Those of this user that may be written to: the folder in memory (XDG_RUNTIME_DIR), of which nothing reaches a disk
/// but which may be small, that of temporary files, and that of caches.
std::vector<ExchangePlace> exchangePlaces();
/// The first that holds a state of the largest size and batches; where none does, the one with the most room. Throws
/// Error(Run) where that is not enough for batches.
std::filesystem::path exchangePlace(const std::vector<ExchangePlace>& places);

/// A temporary folder for the files of one learner, removed by the destructor. While it lives, a file in it is locked:
/// a folder whose lock is free was left by a program that was killed.
class ExchangeFolder {
public:
    /// Below the exchangePlace(), after removeLeftExchangeFolders(). Throws Error(Run) where none can be made.
    ExchangeFolder();
    const std::filesystem::path& path() const { return folder_.path(); }

private:
    explicit ExchangeFolder(const std::vector<ExchangePlace>& places);

    ScratchFolder folder_;
    std::optional<FileLock> lock_;
};
/// Removes what programs of this user left below these places when they were killed, and nothing where the file system
/// has no locks.
void removeLeftExchangeFolders(const std::vector<ExchangePlace>& places);

}  // namespace palimpsest
