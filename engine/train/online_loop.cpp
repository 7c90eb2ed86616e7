// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/online_loop.h"

#include <utility>

#include "engine/method/purpose.h"
#include "engine/train/logit_mask.h"

namespace palimpsest {

OnlineLoop::OnlineLoop(const LoopSettings& settings, Method& method, TrainSource& train, Evaluator& evaluator,
                       LoopListener& listener)
    : settings_(settings),
      method_(method),
      train_(train),
      evaluator_(evaluator),
      listener_(listener),
      policy_(settings.mask, settings.classes),
      memory_(settings.memory_size),
      memory_random_(settings.seed, purpose::kMemory),
      next_evaluation_(settings.every_samples) {}

std::pair<UpdateResult, std::vector<bool>> learnUpdate(Method& method, MaskPolicy& policy, std::int64_t seen,
                                                       const StepUnits& units, const Tensor& images) {
    policy.beginUpdate(units.replay);
    std::vector<std::int64_t> all = units.stream;
    all.insert(all.end(), units.replay.begin(), units.replay.end());
    std::vector<bool> visible = policy.visible(all, seen);
    UpdateInput input;
    input.images = images;
    input.units = at::tensor(all, at::kLong).to(images.device());
    input.mask = additiveMask(visible, images.device());
    return {method.update(input), std::move(visible)};
}

void OnlineLoop::learn(std::int64_t session, std::span<const std::int64_t> samples) {
    std::vector<std::int32_t> labels;
    for (const std::int64_t sample : samples) labels.push_back(train_.label(sample));
    registry_.expose(labels);
    StepUnits units{registry_.units(labels), {}};
    policy_.beginStep(units.stream);
    ++batches_;
    samples_seen_ += static_cast<std::int64_t>(samples.size());

    UpdateResult last;
    std::vector<bool> visible;
    for (std::int64_t update = 0; update < settings_.updates_per_batch; ++update) {
        std::vector<std::int64_t> replay;
        if (!memory_.samples().empty() && settings_.memory_batch > 0) {
            Random random(settings_.seed, purpose::kReplay, static_cast<std::uint64_t>(batches_),
                          static_cast<std::uint64_t>(update));
            replay = memory_.draw(settings_.memory_batch, random);
        }
        units.replay.clear();
        for (const std::int64_t sample : replay) units.replay.push_back(registry_.unit(train_.label(sample)));
        const Tensor images = train_.images(batches_, update, samples, replay);
        std::tie(last, visible) = learnUpdate(method_, policy_, registry_.count(), units, images);
        listener_.updated(++updates_, last);
    }
    memory_.offer({samples.begin(), samples.end()}, [&](std::int64_t n) {
        return static_cast<std::int64_t>(memory_random_.below(static_cast<std::uint64_t>(n)));
    });
    listener_.learned({batches_, session, samples_seen_, samples, visible, last});
}

bool OnlineLoop::evaluate(EvaluationKind kind, std::int64_t session) {
    // An empty first session has exposed nothing; the official code divides by zero here.
    if (registry_.count() == 0) return true;
    bool told = false;
    const Evaluation evaluation = evaluator_.evaluate(registry_, [&] {
        if (!std::exchange(told, true)) listener_.evaluating();
        return listener_.ending();
    });
    if (!evaluation.complete) return false;
    // No class seen so far has a test sample: nothing was measured, which is not an accuracy of zero.
    if (evaluation.predictions.empty()) return true;
    listener_.evaluated(kind, session, evaluation);
    return true;
}

bool OnlineLoop::run(const StreamPlan& plan) {
    for (std::size_t s = 0; s < plan.sessions.size(); ++s) {
        const auto session = static_cast<std::int64_t>(s);
        const std::vector<std::int64_t>& order = plan.sessions[s];
        for (std::size_t first = 0; first < order.size(); first += static_cast<std::size_t>(settings_.batch_size)) {
            if (!listener_.mayContinue()) return false;
            const std::size_t count = std::min(order.size() - first, static_cast<std::size_t>(settings_.batch_size));
            learn(session, {order.data() + first, count});
            if (settings_.every_samples > 0 &&
                samples_seen_ + static_cast<std::int64_t>(count) > next_evaluation_) {
                if (!evaluate(EvaluationKind::Anytime, session)) return false;
                next_evaluation_ += settings_.every_samples;
            }
        }
        if (!evaluate(EvaluationKind::SessionEnd, session)) return false;
        method_.endSession();
        policy_.endSession();
    }
    return true;
}

}  // namespace palimpsest
