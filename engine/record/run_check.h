// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/config/option_table.h"

namespace palimpsest {

/// What the files of a run folder are worth, compared with what its checkpoints recorded when they were written.
struct RunCheck {
    std::filesystem::path folder;
    std::vector<std::string> damage;  ///< a sentence each; empty: all that can be checked is as it was written
    std::vector<std::string> notes;   ///< what nothing was recorded of, such as the tables of an older version
    std::int64_t checkpoints = 0;     ///< in the folder
    /// Checkpoints that cannot be resumed from because of themselves, not of the tables: their description or tensors.
    std::vector<std::int64_t> bad_checkpoints;
    /// Samples seen of the newest checkpoint that is sound with all that was measured before it; absent: none.
    std::optional<std::int64_t> newest_sound;
    /// True if something that was measured is damaged, so that a repair goes back to newest_sound.
    bool measured_damaged = false;
    bool notes_damaged = false;  ///< the user's notes in library.json cannot be read; a repair sets them aside
    bool settings_lost = false;  ///< experiment.toml cannot be read; nothing stands in for it
    bool repairable() const { return !damage.empty() && !settings_lost && (!measured_damaged || newest_sound); }
};

/// Reads every file of the run, and changes nothing. Throws Error(Input) for a folder without run.json, and for a run
/// that is going on.
RunCheck checkRun(const OptionTable& table, const std::filesystem::path& folder);

/// Sets damaged files aside, in a new folder in that of the run, and cuts the tables back to the newest sound
/// checkpoint where something measured is damaged; the run is then one that was stopped there, and can be resumed.
/// Nothing is deleted. Returns the folder with what was set aside. Throws Error(Input) for what is not repairable(),
/// and where the folder cannot be written.
std::filesystem::path repairRun(const RunCheck& check);

}  // namespace palimpsest
