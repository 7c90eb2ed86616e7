// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/adaptation/adaptation_learner.h"

#include <algorithm>
#include <optional>

#include "engine/optim/output_units.h"
#include "engine/support/error.h"

namespace palimpsest {
namespace {

/// Number of outputs of the head.
std::int64_t unitsOfHead(const AdaptationLearner::Setup& setup, AdapterSettings::Kind kind) {
    const std::int64_t classes = setup.data.classes;
    if (kind != AdapterSettings::Kind::Fam) return classes;
    return setup.shared_units ? std::max(classes, setup.sources.drawn_at_once)
                              : classes + static_cast<std::int64_t>(setup.data.others.size());
}

}  // namespace

AdaptationSchedule::AdaptationSchedule(const StreamPlan& plan, std::int64_t epochs, std::int64_t batchSize,
                                       std::int64_t updates)
    : plan_(plan), epochs_(epochs), batch_size_(batchSize), updates_(updates) {
    if (epochs < 1 || batchSize < 1 || updates < 1)
        throw inputError("The initial session has " + std::to_string(epochs) + " epochs of batches of " +
                             std::to_string(batchSize) + " with " + std::to_string(updates) + " updates each.",
                         "Use 1 or more of each.");
    std::int64_t batches = 0;
    for (std::size_t s = 0; s < plan.sessions.size(); ++s) {
        const auto size = static_cast<std::int64_t>(plan.sessions[s].size());
        if (size == 0) continue;
        const std::int64_t count = (size + batchSize - 1) / batchSize;
        parts_.push_back({steps_, batches, static_cast<std::int64_t>(s), count});
        batches += count * epochs;
        steps_ = batches * updates;
    }
}

AdaptationSchedule::Position AdaptationSchedule::at(std::int64_t step) const {
    if (step < 0 || step >= steps_) throw runError("The adaptation has no step " + std::to_string(step) + ".");
    const auto after = std::ranges::upper_bound(parts_, step, {}, &Part::first_step);
    const Part& part = *std::prev(after);
    const std::int64_t within = step - part.first_step, batch = within / updates_, inPass = batch % part.batches;
    Position position;
    position.session = part.session;
    position.epoch = batch / part.batches;
    position.batch = part.first_batch + batch + 1;
    position.update = within % updates_;
    const std::span<const std::int64_t> all = plan_.sessions[static_cast<std::size_t>(part.session)];
    const std::span<const std::int64_t> rest = all.subspan(static_cast<std::size_t>(inPass * batch_size_));
    position.samples = rest.first(std::min(rest.size(), static_cast<std::size_t>(batch_size_)));
    position.ends_epoch = inPass + 1 == part.batches && position.update + 1 == updates_;
    return position;
}

AdaptationLearner::AdaptationLearner(const Setup& setup, const Vit& vit, const PromptLayout& layout,
                                     const AdapterSettings& settings, std::uint64_t seed)
    : setup_(setup), units_(unitsOfHead(setup, settings.kind)), adapter_(vit, layout, settings, units_, seed) {}

bool AdaptationLearner::step(const AdaptationSchedule::Position& at) {
    if (open_batch_ != at.batch) {
        batch_ = setup_.sources.train->open(at.batch, at.samples);
        open_batch_ = at.batch;
        labels_.clear();
        for (const std::int64_t sample : batch_) labels_.push_back(setup_.sources.train->label(sample));
        registry_.expose(labels_);
    }
    // No image of the batch can be read.
    if (batch_.empty()) return false;
    if (at.update == 0) samples_seen_ += static_cast<std::int64_t>(batch_.size());
    // The mask of seen classes includes the others of this step, so they are exposed first (MISA, methods/fam.py).
    std::optional<OodSource::Batch> drawn;
    std::vector<std::int32_t> otherLabels;
    if (setup_.sources.other) {
        drawn = setup_.sources.other->next();
        // Shared: the drawn classes count from 0, like the first classes to learn (MISA, methods/fam.py).
        for (const std::int64_t label : setup_.shared_units ? drawn->places : drawn->classes)
            otherLabels.push_back(static_cast<std::int32_t>(setup_.shared_units ? label : setup_.data.classes + label));
        registry_.expose(otherLabels);
    }
    const Tensor mask = seenMask(registry_.count(), units_, setup_.device);
    std::optional<PromptAdapter::Batch> other;
    if (drawn) other = PromptAdapter::Batch{drawn->images, unitsOf(otherLabels), mask};
    const ShownImages shown = setup_.sources.train->images(at.batch, at.update, batch_, {});
    last_ = adapter_.step({shown.images, unitsOf(labels_), mask}, other);
    return true;
}

Tensor AdaptationLearner::unitsOf(const std::vector<std::int32_t>& labels) const {
    return at::tensor(registry_.units(labels), at::kLong).to(setup_.device);
}

void AdaptationLearner::keep(AdaptationState& state) const {
    state.samples_seen = samples_seen_;
    if (setup_.sources.other) state.other = setup_.sources.other->position();
    state.exposed.assign(registry_.exposed().begin(), registry_.exposed().end());
    for (const auto& [name, tensor] : adapter_.state()) state.learner[name] = tensor;
}

void AdaptationLearner::restore(const AdaptationState& state) {
    samples_seen_ = state.samples_seen;
    registry_.expose({state.exposed.begin(), state.exposed.end()});
    adapter_.restore(state.learner);
}

}  // namespace palimpsest
