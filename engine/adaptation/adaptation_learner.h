// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <span>

#include "engine/adaptation/adaptation_data.h"
#include "engine/adaptation/adaptation_state.h"
#include "engine/adaptation/prompt_adapter.h"
#include "engine/optim/output_units.h"
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

/// Performs the steps of an adaptation: opens the batch of each, assigns outputs of the head to its classes, and
/// updates the adapter.
class AdaptationLearner {
public:
    struct Setup {
        const AdaptationData& data;
        AdaptationSources& sources;
        /// The others use the outputs of the first classes to learn (initial_session.other_units).
        bool shared_units = false;
        at::Device device = at::kCPU;
    };
    /// Data, sources and network must outlive this. Throws Error(Input) as PromptAdapter does.
    AdaptationLearner(const Setup& setup, const Vit& vit, const PromptLayout& layout, const AdapterSettings& settings,
                      std::uint64_t seed);

    /// False if nothing was learned, because no image of the batch can be read.
    bool step(const AdaptationSchedule::Position& at);
    /// Result of the last step that learned.
    const PromptAdapter::Step& last() const { return last_; }
    const PromptAdapter& adapter() const { return adapter_; }
    std::int64_t samplesSeen() const { return samples_seen_; }

    /// Stores its part of a state, between two steps.
    void keep(AdaptationState& state) const;
    /// Restores it before the first step, with sources already at the state's position. Throws Error(Input) if it does
    /// not fit.
    void restore(const AdaptationState& state);

private:
    Tensor unitsOf(const std::vector<std::int32_t>& labels) const;

    Setup setup_;
    std::int64_t units_;  // outputs of the head
    PromptAdapter adapter_;
    ClassRegistry registry_;
    std::int64_t samples_seen_ = 0;
    std::int64_t open_batch_ = 0;
    std::vector<std::int64_t> batch_;   // readable samples of the open batch
    std::vector<std::int32_t> labels_;  // their labels
    PromptAdapter::Step last_;
};

}  // namespace palimpsest
