// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/run/run_events.h"

namespace palimpsest {

/// Images of each class that a memory held at one moment: a row of memory.csv.
struct MemoryBalance {
    std::int64_t samples_seen = 0;
    std::vector<std::optional<std::int64_t>> kept;  ///< by raw label; absent: the class had not come yet

    /// Below 2^63: so many classes and so large counts as are read or kept do not reach it.
    std::int64_t total() const;
    bool operator==(const MemoryBalance&) const = default;
};

/// Balance of a memory, at least `classes` long.
MemoryBalance balanceOf(const MemoryHeld& held, std::size_t classes);

/// "samples_seen", "class_0", "class_1", ...
std::vector<std::string> memoryColumns(std::size_t classes);
/// Cells of a row under those columns; a class that had not come yet has an empty one.
std::vector<std::string> memoryRow(const MemoryBalance& balance);

/// End of a memory.csv.
struct LastBalance {
    std::optional<MemoryBalance> balance;  ///< the last sound row; absent: there is none
    std::vector<std::string> warnings;     ///< "memory.csv line 1: ..."
    bool torn = false;                     ///< the last line had no end; it is skipped without a warning
};

/// More classes than any data set has.
inline constexpr std::size_t kMostClasses = 65'536;
/// More images of a class than any memory holds; and as many times kMostClasses can still be added up.
inline constexpr std::int64_t kMostKeptOfClass = 1'000'000'000'000;
/// Reads the header and the last rows alone, however long the file is, and of the columns of classes the first
/// `classes`. Never throws: what cannot be read is a warning.
LastBalance readLastBalance(const std::filesystem::path& file, std::size_t classes);

}  // namespace palimpsest
