// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

#include "engine/stream/stream_plan.h"

namespace palimpsest {

/// Steps of an adaptation: every session of the plan is repeated for `epochs` epochs, in its own order, batch after
/// batch, with `updates` optimiser steps a batch (MISA, methods/_trainer.py, main_worker).
class AdaptationSchedule {
public:
    AdaptationSchedule(const StreamPlan& plan, std::int64_t epochs, std::int64_t batchSize, std::int64_t updates);

    std::int64_t steps() const { return steps_; }
    struct Position {
        std::int64_t session = 0;               ///< from 0
        std::int64_t epoch = 0;                 ///< over that session, from 0
        std::int64_t batch = 0;                 ///< of the whole adaptation, from 1
        std::int64_t update = 0;                ///< on that batch, from 0
        std::span<const std::int64_t> samples;  ///< of the plan
        bool ends_epoch = false;                ///< the last step of an epoch
    };
    /// The position of `step`, from 0 to steps() - 1. The plan must outlive the result.
    Position at(std::int64_t step) const;

private:
    struct Part {
        std::int64_t first_step, first_batch, session, batches;
    };
    const StreamPlan& plan_;
    std::int64_t epochs_, batch_size_, updates_, steps_ = 0;
    std::vector<Part> parts_;  // sessions that have samples
};

}  // namespace palimpsest
