// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "engine/record/run_folder.h"

namespace palimpsest {

/// Samples seen when a session of a recorded run ends, from 0.
std::int64_t samplesAtEndOf(const RunRecord& record, std::int64_t session);

/// The evaluations at the ends of the sessions, in their order. The run folder holds no row of them, but their counts
/// per session add up to them, unless only disjoint classes belong to a session. A session whose rows are not all there
/// yet is left out.
std::vector<AnytimePoint> sessionEnds(const RunRecord& record);

}  // namespace palimpsest
