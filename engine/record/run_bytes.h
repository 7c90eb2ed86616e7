// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "engine/support/json.h"

namespace palimpsest {

/// Bytes that a run keeps on the disk, by what they hold.
struct RunBytes {
    std::int64_t checkpoints = 0, features = 0, predictions = 0, tables = 0;

    std::int64_t total() const { return checkpoints + features + predictions + tables; }
    RunBytes& add(const RunBytes& other, std::int64_t times = 1);
    /// Name of the largest part, for a sentence.
    const char* most() const;
};

/// Mean of each part; nothing of no runs.
RunBytes meanOf(const std::vector<RunBytes>& runs);
/// Bytes in a run's folder; nothing where it cannot be read. May take a moment.
RunBytes bytesOf(const std::filesystem::path& run);
/// An object with the parts by their names, as `palimpsest-cli sweep --estimate --json` prints it.
nlohmann::json jsonOf(const RunBytes& bytes);
/// Reads it again; parts that are no numbers count as nothing.
RunBytes bytesIn(const nlohmann::json& json);

}  // namespace palimpsest
