// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "engine/config/option_table.h"

namespace palimpsest {

/// An option that is changed during a run. It takes effect at a batch border.
struct LiveChange {
    std::string key, value;
    std::int64_t at = 0;  ///< not before so many samples have been seen
    bool operator==(const LiveChange&) const = default;
};

/// "mask.name=seen", as commands.csv has it.
std::string toText(const LiveChange& change);
/// Reads such a text. Throws Error(Input) where there is no equals sign.
LiveChange liveChange(const std::string& text, std::int64_t at = 0);

/// Throws Error(Input) for an option that does not take effect at the next batch, a value that it does not allow, and
/// what the run's method cannot change during a run.
void requireLive(const OptionTable& table, const Experiment& experiment, const LiveChange& change);

/// The changes of a run, in order, from its commands.csv. Throws Error(Input) when that cannot be read.
std::vector<LiveChange> recordedChanges(const std::filesystem::path& run);
/// Changes that its experiment does not have yet: a fork's experiment has what was changed before it began.
std::vector<LiveChange> changesSinceBegin(const std::filesystem::path& run);
/// The same for changes that were read before; `forkedAt`: as RunRecord.
std::vector<LiveChange> changesSince(const std::vector<LiveChange>& changes, std::int64_t forkedAt);

/// The experiment as it was for the batch that began after `at` images. A change whose key is of another version is
/// left out.
Experiment settingsAfter(const OptionTable& table, Experiment begun, const std::vector<LiveChange>& changes,
                         std::int64_t forkedAt, std::int64_t at);

/// Value of an option at the start of the run and its later ones: "batch → none".
std::string valuesInTurn(const std::string& begun, const std::vector<LiveChange>& changes, std::string_view key);

}  // namespace palimpsest
