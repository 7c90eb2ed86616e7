// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/stream/stream_plan.h"

namespace palimpsest {

/// The plan with the edits applied one after the other. An edit moves the samples that the class has in one session, or
/// in all, to its target. If that session was the class's home, the target becomes its home; the class stays disjoint
/// or blurry, as it was drawn. A sample that ends in the session it was drawn for keeps its position; each of the
/// others gets a random position in its new session, whose own samples keep their order. The draws depend on the seed
/// and the session alone (an imported list has no seed: 0), so the same plan and edits give the same stream, and
/// sessions without moved samples do not change. Throws Error(Input) for a class or session that does not exist.
StreamPlan editedStream(StreamPlan plan, std::span<const std::int32_t> labels, const std::vector<StreamEdit>& edits);

}  // namespace palimpsest
