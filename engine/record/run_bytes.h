// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "engine/config/option_table.h"
#include "engine/record/run_folder.h"
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

/// Folders of the first few finished runs that keep as much as runs of this experiment do while these options vary:
/// they differ in nothing that may decide how much is kept, and are no copies, which come without checkpoints. None
/// where an option that varies may decide it. Reads the marks of copies.
std::vector<std::filesystem::path> runsThatKeepAlike(const OptionTable& table,
                                                     const std::vector<std::shared_ptr<const RunRecord>>& runs,
                                                     const Experiment& experiment, const std::set<std::string>& varied);

}  // namespace palimpsest
