// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/run/run_events.h"
#include "engine/stream/stream_plan.h"

namespace palimpsest {

/// The batch that a run had learned last at one moment, computed from its stream.
struct LearnedBatch {
    std::int64_t begin = 0;                   ///< images seen before it
    std::int64_t number = 0, count = 0;       ///< from 1, of all batches
    std::vector<std::int64_t> samples;        ///< positions in the training set
    std::vector<std::int32_t> labels;         ///< of its images, raw
    std::vector<std::int32_t> seen;           ///< raw labels in order of first appearance, its own included
    std::vector<std::int32_t> session;        ///< likewise of its session so far
    std::vector<std::int32_t> whole_session;  ///< likewise of its whole session, also those to come
    std::vector<Thumbnail> images;            ///< as far as they could be read
};

/// Batches of `size` of a whole stream; the last one of each session may be shorter.
std::int64_t batchCount(const StreamPlan& plan, std::int64_t size);

/// After `samplesSeen` images of the stream, in batches of `size` that end with their session. Nothing: before the
/// first image, or for labels that do not fit the plan. Without the images.
std::optional<LearnedBatch> learnedBatch(const StreamPlan& plan, std::span<const std::int32_t> labels,
                                         std::int64_t size, std::int64_t samplesSeen);

}  // namespace palimpsest
