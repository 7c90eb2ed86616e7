// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

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

}  // namespace palimpsest
