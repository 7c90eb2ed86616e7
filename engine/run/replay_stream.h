// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace palimpsest {

struct RunRecord;

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

/// Finds the stream of a run where its data set is on this machine. `batches`: samples seen when each ended. Throws
/// GivenUp alone (engine/support/stop_scope.h).
using ReplayStreamFinder = std::function<ReplayStream(const RunRecord& run, const std::vector<std::int64_t>& batches)>;

}  // namespace palimpsest
