// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "engine/memory/sample_memory.h"
#include "engine/run/run_events.h"
#include "engine/train/online_loop.h"

namespace palimpsest {

// News of a run made of what the loop holds, outputs of the network turned into raw labels. `seen`: those in order of
// first appearance.

/// Without pictures and the use of prompts.
BatchLearned batchNews(std::int64_t run, const LoopListener::Batch& batch, const std::vector<std::int32_t>& seen);

/// Accuracy, loss, counts by class, and what each of `testImages` was taken for, which is null where their number is 0:
/// not known.
Evaluated evaluationNews(const Evaluation& evaluation, const std::vector<std::int32_t>& seen, std::int64_t testImages);

MemoryHeld memoryNews(std::int64_t run, std::int64_t samplesSeen, const SampleMemory& memory, const TrainSource& train,
                      const std::vector<std::int32_t>& seen);

}  // namespace palimpsest
