// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/config/option_table.h"
#include "engine/record/run_folder.h"

namespace palimpsest::report {

/// Some images of one batch, as one picture that has them side by side.
struct ReplayBatch {
    std::int64_t samples_seen = 0;     ///< when it had been learned
    std::int64_t images = 0;           ///< of the batch; the picture may show fewer
    std::vector<std::int32_t> labels;  ///< raw labels of the images shown, from the left
    std::string picture;               ///< bytes of a JPEG file
};

/// The images of a run's stream, which no run folder records.
struct ReplayStream {
    std::vector<std::int32_t> labels;  ///< raw, in the order of the stream; empty: not known here
    std::vector<ReplayBatch> batches;  ///< as many as a page has room for
};

/// Finds the stream of a run where its data set is on this machine. `batches`: samples seen when each ended. Never
/// throws.
using ReplayStreamFinder = std::function<ReplayStream(const RunRecord& run, const std::vector<std::int64_t>& batches)>;

struct ReplaySettings {
    std::optional<std::int64_t> moment = {};  ///< images seen where the page opens; absent: at the end
    bool story = true;                        ///< sentences say what happened
    ReplayStreamFinder stream = {};           ///< empty: no images, and of the stream what the folder says
};

/// Largest page that is made, in bytes: what does not fit is left out, pictures of batches first.
inline constexpr std::size_t kLargestReplay = std::size_t{3} << 20U;

/// Throws Error(Input) unless a replay can show so many runs.
void requireReplayCount(std::size_t runs);

/// One HTML file that plays one run or two side by side, without a network, a server or another file. The same runs
/// give the same bytes. Throws Error(Input) for another number of runs, for one that measured nothing, and where the
/// page's own files are missing. `unread`: gets a sentence on what cannot be read of a run.
std::string replayPage(const OptionTable& table, const std::vector<RunRecord>& runs, const ReplaySettings& settings,
                       std::vector<std::string>* unread = nullptr);

}  // namespace palimpsest::report
