// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "engine/adaptation/adaptation_schedule.h"
#include "engine/adaptation/adaptation_sources.h"
#include "engine/adaptation/adaptation_state.h"
#include "engine/adaptation/prompt_adapter.h"
#include "engine/optim/output_units.h"

namespace palimpsest {

/// Performs the steps of an adaptation: opens the batch of each, assigns outputs of the head to its classes, and
/// updates the adapter.
class AdaptationLearner {
public:
    struct Setup {
        const AdaptationData& data;
        AdaptationSources& sources;
        bool shared_units =
            false;  ///< the others use the outputs of the first classes to learn (initial_session.other_units)
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
