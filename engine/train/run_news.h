// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "datasets/table/image_dataset.h"
#include "engine/config/option_table.h"
#include "engine/memory/sample_memory.h"
#include "engine/method/method.h"
#include "engine/network/compute.h"
#include "engine/record/watched.h"
#include "engine/run/live_change.h"
#include "engine/run/run_events.h"
#include "engine/train/online_loop.h"

namespace palimpsest {

// Events of a run, made of what its parts hold, with outputs of the network turned into raw labels. `seen`: labels in
// order of first appearance.

/// Start of a run, without its number, folder and experiment, and without the past of a run that is resumed.
/// `promptsNote`: a warning of the prompts that it loads; may be empty.
RunStarted startedEvent(const OptionTable& table, const Experiment& experiment, const ImageDataset& data,
                        const std::shared_ptr<const StreamPlan>& plan, const Compute& compute, const Method& method,
                        const std::string& promptsNote);

/// A batch, without pictures and the use of prompts.
BatchLearned batchEvent(std::int64_t run, const LoopListener::Batch& batch, const std::vector<std::int32_t>& seen);

/// An evaluation: accuracy, loss, counts by class, and what each of `testImages` was taken for, which is null where
/// their number is 0: not known.
Evaluated evaluationEvent(const Evaluation& evaluation, const std::vector<std::int32_t>& seen, std::int64_t testImages);

/// What an evaluation tells of watched test images, for the run folder. `seen`: see evaluationEvent().
std::vector<WatchedShare> watchedRows(const Evaluation& evaluation, const std::vector<std::int32_t>& seen);

MemoryHeld memoryEvent(std::int64_t run, std::int64_t samplesSeen, const SampleMemory& memory, const TrainSource& train,
                       const std::vector<std::int32_t>& seen);

}  // namespace palimpsest
