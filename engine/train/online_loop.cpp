// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/online_loop.h"

#include <utility>

#include "engine/data/cutmix.h"
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
      policy_(settings.mask, settings.classes, settings.mask_form),
      memory_(settings.memory_size),
      memory_random_(settings.seed, purpose::kMemory),
      next_evaluation_(settings.every_samples) {}

std::pair<UpdateResult, std::vector<bool>> learnUpdate(Method& method, MaskPolicy& policy, std::int64_t seen,
                                                       const StepUnits& units, const Tensor& images,
                                                       std::optional<Random> cutmix, bool cutmixEach) {
    policy.beginUpdate(units.replay);
    std::vector<std::int64_t> all = units.stream;
    all.insert(all.end(), units.replay.begin(), units.replay.end());
    std::vector<bool> visible = policy.visible(all, seen);
    UpdateInput input;
    input.images = images;
    input.units = at::tensor(all, at::kLong).to(images.device());
    input.mask = additiveMask(visible, images.device());
    input.form = policy.form();
    if (cutmix && cutmix->chance(kCutMixChance)) {
        const CutMix mixed = cutmixEach ? cutMixedEach(images, *cutmix) : cutMixed(images, *cutmix);
        input.images = mixed.images;
        input.mix = {input.units.index_select(0, mixed.permutation), mixed.lambda, mixed.shares};
    }
    return {method.update(input), std::move(visible)};
}

std::vector<std::vector<std::int64_t>> OnlineLoop::drawReplay(std::int64_t batch) const {
    std::vector<std::vector<std::int64_t>> replay(static_cast<std::size_t>(settings_.updates_per_batch));
    if (memory_.samples().empty() || settings_.memory_batch <= 0) return replay;
    for (std::size_t update = 0; update < replay.size(); ++update) {
        Random random(settings_.seed, purpose::kReplay, static_cast<std::uint64_t>(batch), update);
        replay[update] = memory_.draw(settings_.memory_batch, random);
    }
    return replay;
}

std::vector<std::int64_t> OnlineLoop::knownUnits(const std::vector<std::int64_t>& session) const {
    std::vector<std::int64_t> units;
    for (const std::int64_t sample : session)
        if (const std::int64_t unit = registry_.unit(train_.label(sample)); unit >= 0) units.push_back(unit);
    return units;
}

std::int64_t OnlineLoop::learn(std::int64_t session, std::span<const std::int64_t> planned) {
    const std::vector<std::vector<std::int64_t>> replay = std::exchange(replay_, {});
    const std::vector<std::int64_t> samples = train_.open(++batches_, planned);
    // The memory decides without regard to what the updates do, and as it stands now they no longer need it: so what the
    // next batch replays is known before them, and can be read meanwhile.
    memory_.offer(samples, [&](std::int64_t n) {
        return static_cast<std::int64_t>(memory_random_.below(static_cast<std::uint64_t>(n)));
    });
    replay_ = drawReplay(batches_ + 1);
    train_.expect(batches_ + 1, replay_);
    if (samples.empty()) return 0;

    std::vector<std::int32_t> labels;
    for (const std::int64_t sample : samples) labels.push_back(train_.label(sample));
    registry_.expose(labels);
    StepUnits units{registry_.units(labels), {}};
    policy_.beginStep(units.stream);
    samples_seen_ += static_cast<std::int64_t>(samples.size());

    UpdateResult last;
    std::vector<bool> visible;
    for (std::size_t update = 0; update < static_cast<std::size_t>(settings_.updates_per_batch); ++update) {
        const std::span<const std::int64_t> replayed =
            update < replay.size() ? std::span(replay[update]) : std::span<const std::int64_t>();
        const ShownImages shown = train_.images(batches_, static_cast<std::int64_t>(update), samples, replayed);
        units.replay.clear();
        for (std::size_t i = samples.size(); i < shown.samples.size(); ++i)
            units.replay.push_back(registry_.unit(train_.label(shown.samples[i])));
        std::optional<Random> cutmix;
        if (settings_.cutmix && method_.takesMixedImages())
            cutmix.emplace(settings_.seed, purpose::kCutMix, static_cast<std::uint64_t>(batches_), update);
        std::tie(last, visible) =
            learnUpdate(method_, policy_, registry_.count(), units, shown.images, cutmix, settings_.cutmix_each);
        listener_.updated(++updates_, last);
    }
    listener_.learned({batches_, session, samples_seen_, samples, visible, last});
    return static_cast<std::int64_t>(samples.size());
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
        if (settings_.whole_session) policy_.beginSession(knownUnits(order));
        for (std::size_t first = 0; first < order.size(); first += static_cast<std::size_t>(settings_.batch_size)) {
            if (!listener_.mayContinue()) return false;
            const std::size_t count = std::min(order.size() - first, static_cast<std::size_t>(settings_.batch_size));
            const std::int64_t learned = learn(session, {order.data() + first, count});
            if (learned > 0 && settings_.every_samples > 0 && samples_seen_ + learned > next_evaluation_) {
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
