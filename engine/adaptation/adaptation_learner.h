// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "engine/adaptation/adaptation_schedule.h"
#include "engine/adaptation/adaptation_sources.h"
#include "engine/adaptation/adaptation_state.h"
#include "engine/adaptation/prompt_adapter.h"
#include "engine/optim/class_registry.h"

namespace palimpsest {

/// Makes the steps of an adaptation: opens the batch of each, gives its classes their outputs of the head, and lets the
/// adapter learn from it.
class AdaptationLearner {
public:
    struct Setup {
        const AdaptationData& data;
        AdaptationSources& sources;
        bool shared_units =
            false;  ///< the others take the outputs of the first classes to learn (initial_session.other_units)
        at::Device device = at::kCPU;
    };
    /// Data, sources and network must outlive this. Throws Error(Input) as PromptAdapter does.
    AdaptationLearner(const Setup& setup, const Vit& vit, const PromptLayout& layout, const AdapterSettings& settings,
                      std::uint64_t seed);

    /// False where nothing was learned, since nothing of the batch can be read.
    bool step(const AdaptationSchedule::Position& at);
    /// What came of the last step that learned.
    const PromptAdapter::Step& last() const { return last_; }
    const PromptAdapter& adapter() const { return adapter_; }
    std::int64_t samplesSeen() const { return samples_seen_; }

    /// Its part of a state, between two steps.
    void keep(AdaptationState& state) const;
    /// Before the first step. The sources stand where the state was saved already. Throws Error(Input) where it does
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
    std::vector<std::int64_t> batch_;   // samples of the open batch that can be read
    std::vector<std::int32_t> labels_;  // theirs
    PromptAdapter::Step last_;
};

}  // namespace palimpsest
