// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/config/option_table.h"
#include "engine/record/run_folder.h"
#include "engine/run/replay_stream.h"

namespace palimpsest::report {

struct ReplaySettings {
    std::optional<std::int64_t> moment = {};  ///< images seen where the page opens; absent: at the end
    bool story = true;                        ///< sentences say what happened
    ReplayStreamFinder stream = {};           ///< empty: no images, and of the stream what the folder says
};

/// Largest page that is made, in bytes. Pictures of batches are left out first, then every other matrix, push and
/// sentence until the rest fits.
inline constexpr std::size_t kLargestReplay = std::size_t{3} << 20U;

/// One HTML file that plays one run or two side by side, without a network, a server or another file. The same runs
/// give the same bytes. Throws Error(Input) for another number of runs, for one that measured nothing, for more
/// classes than fit, and where the page's own files are missing. `unread`: gets a sentence on what cannot be read of a
/// run, its folder's name before it.
std::string replayPage(const OptionTable& table, const std::vector<RunRecord>& runs, const ReplaySettings& settings,
                       std::vector<std::string>* unread = nullptr);

/// The same of run folders, or of folders of runs. Throws Error(Input) for what is no run, too.
std::string replayPage(const OptionTable& table, const std::vector<std::filesystem::path>& inputs,
                       const ReplaySettings& settings, std::vector<std::string>* unread = nullptr);

}  // namespace palimpsest::report
