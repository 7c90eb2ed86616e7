// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/stream/stream_plan.h"

namespace palimpsest {

/// The plan with the edits applied one after the other. An edit takes the samples that the class has in one session, or
/// in all, to its target; where those of its home session go, the class is at home from then on, and it stays disjoint
/// or blurry, as it was drawn. A sample that ends in the session it was drawn for keeps its place; each of the others
/// stands at a random place of its new session, whose own samples keep their order. The draws depend on the seed and
/// the session alone (an imported list knows no seed: 0), so the same plan and edits give the same stream, and no
/// session is changed that gives and takes nothing. Throws Error(Input) for a class or session that does not exist.
StreamPlan editedStream(StreamPlan plan, std::span<const std::int32_t> labels, const std::vector<StreamEdit>& edits);

}  // namespace palimpsest
