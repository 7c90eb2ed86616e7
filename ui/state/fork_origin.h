// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/config/option_table.h"
#include "engine/run/live_change.h"

namespace palimpsest {

/// Origin that a fork may begin with: a run, as its folder records it.
struct ForkOrigin {
    std::filesystem::path folder;
    std::string name;                       ///< of its experiment
    Experiment experiment;                  ///< as it began, on the device it had
    std::vector<LiveChange> changes;        ///< that were made on its way
    std::vector<std::int64_t> checkpoints;  ///< images seen, newest first; those that leave something to learn
    bool ends_only = false;                 ///< it has some, but all at the end of its stream

    /// Start of a fork at that checkpoint.
    Experiment experimentAt(const OptionTable& table, std::int64_t checkpoint) const;
    /// The newest that is not after the moment, or the oldest where all are; of no moment, the newest. Absent: there
    /// are none to begin with.
    std::optional<std::int64_t> checkpointFor(std::optional<std::int64_t> moment) const;
};

/// Reads files. Throws Error(Input) for a folder that is no run.
ForkOrigin readForkOrigin(const OptionTable& table, const std::filesystem::path& folder);

}  // namespace palimpsest
