// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "engine/run/replay_stream.h"

namespace palimpsest {

/// Images of a run's stream, for its replay: planned again from its settings, and believed only where the plan has the
/// fingerprint that the run recorded. Nothing where the data set is not on this machine, where images were left out,
/// and where a run has no such settings. Throws GivenUp alone.
ReplayStream replayStream(const RunRecord& run, const std::vector<std::int64_t>& batches);

}  // namespace palimpsest
