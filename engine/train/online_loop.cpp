// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/online_loop.h"

#include <utility>

#include "engine/checkpoint/state_archive.h"
#include "engine/data/cutmix.h"
#include "engine/memory/balanced_memory.h"
#include "engine/memory/reservoir_memory.h"
#include "engine/method/session_work.h"
#include "engine/network/device_copies.h"
#include "engine/optim/output_units.h"
#include "engine/support/random.h"

namespace palimpsest {

namespace {

/// Draws of the work after a session, apart from those of any update.
constexpr std::int64_t kWorkDraws = 1 << 20;

/// The loop's own memory; the user's choice goes before what suits the method.
std::unique_ptr<SampleMemory> makeMemory(const LoopSettings& settings, const Method& method) {
    const bool balanced = settings.memory_kind == "auto" ? method.replay().memory == Replay::Memory::Balanced
                                                         : settings.memory_kind != "reservoir";
    if (balanced) return std::make_unique<BalancedMemory>(settings.memory_size);
    return std::make_unique<ReservoirMemory>(settings.memory_size);
}

}  // namespace

std::pair<UpdateResult, std::vector<bool>> learnUpdate(Method& method, MaskPolicy& policy, std::int64_t seen,
                                                       const StepUnits& units, const Tensor& images,
                                                       std::optional<Random> cutmix, bool cutmixEach,
                                                       StepExtras extras) {
    policy.beginUpdate(units.replay);
    std::vector<std::int64_t> all = units.stream;
    all.insert(all.end(), units.replay.begin(), units.replay.end());
    UpdateInput input;
    input.images = images;
    input.units = indexOn(all, images.device());
    std::vector<std::int64_t> joined = all;
    for (const PastBatch& past : extras.past) {
        const std::vector<std::int64_t> pastUnits = indexVector(past.units);
        policy.beginUpdate(pastUnits);
        all.insert(all.end(), pastUnits.begin(), pastUnits.end());
    }
    const auto own = method.ownMask(units.stream, seen);
    std::vector<bool> visible = own ? *own : policy.visible(all, seen);
    input.mask = additiveMask(visible, images.device());
    input.form = policy.form();
    input.past = std::move(extras.past);
    input.samples = std::move(extras.samples);
    input.views = std::move(extras.views);
    input.sam_reach = extras.sam_reach;
    input.seen = seen;
    if (cutmix && cutmix->chance(kCutMixChance)) {
        const CutMix mixed = cutmixEach ? cutMixedEach(images, *cutmix) : cutMixed(images, *cutmix);
        input.images = mixed.images;
        input.views.clear();
        input.mix = {input.units.index_select(0, mixed.permutation), mixed.lambda, mixed.shares};
    }
    UpdateResult result = method.update(input);
    result.besides.insert(result.besides.end(), all.begin() + std::ssize(joined), all.end());
    result.units = std::move(joined);
    return {std::move(result), std::move(visible)};
}

LoopSettings loopSettings(const Experiment& experiment, const MethodSetup& setup) {
    LoopSettings settings;
    settings.classes = setup.classes;
    settings.batch_size = experiment.training.batch_size;
    settings.updates_per_batch = experiment.training.updates_per_batch;
    settings.every_samples = experiment.evaluation.every_samples;
    settings.early_look = experiment.evaluation.early_look;
    settings.memory_size = setup.memory.size;
    settings.memory_batch = setup.memory.batch_size;
    settings.memory_kind = setup.memory.kind;
    settings.mask = kMaskKinds.at(experiment.mask.name);
    settings.mask_form = kMaskForms.at(experiment.mask.form);
    settings.whole_session = experiment.mask.session_scope == "whole";
    settings.cutmix = experiment.training.cutmix;
    settings.cutmix_each = experiment.training.augment_scope == "image";
    settings.sam_sessions = experiment.training.sam_sessions;
    settings.sam_reach = experiment.training.sam_rho;
    settings.read_late = experiment.gpu.read_late;
    settings.seed = setup.seed;
    return settings;
}

/// The loop as a method sees it when a session has ended.
class OnlineLoop::Work : public SessionWork {
public:
    explicit Work(OnlineLoop& loop) : loop_(loop), session_units_(loop.policy_.sessionUnits()) {}
    const std::vector<std::int64_t>& streamed() const override { return loop_.streamed_; }
    const std::vector<std::int64_t>& remembered() const override { return loop_.memory_->samples(); }
    std::int64_t unit(std::int64_t sample) const override { return loop_.registry_.unit(loop_.train_.label(sample)); }
    UpdateInput input(const std::vector<std::int64_t>& samples, std::int64_t draw) override;
    void updated(const UpdateResult& result) override { loop_.report(result); }
    void remember(const std::vector<std::int64_t>& samples) override;
    bool mayContinue(const std::string& what, std::int64_t done, std::int64_t total) override {
        return loop_.listener_.working(what, done, total);
    }
    void changing() override {
        if (std::exchange(changed_, true)) return;
        // What the work has looked at so far has opened units, and will open them again.
        std::vector<bool> opened = loop_.policy_.sessionUnits();
        loop_.policy_.restoreSessionUnits(session_units_);
        loop_.listener_.workChanges();
        loop_.policy_.restoreSessionUnits(std::move(opened));
    }
    void giveUp() {
        if (!changed_) loop_.policy_.restoreSessionUnits(session_units_);
        loop_.listener_.workGivenUp(changed_);
    }

private:
    OnlineLoop& loop_;
    const std::vector<bool> session_units_;  // before the work
    bool changed_ = false;
};

UpdateInput OnlineLoop::Work::input(const std::vector<std::int64_t>& samples, std::int64_t draw) {
    const ShownImages shown = loop_.train_.past(loop_.batches_, kWorkDraws + draw, samples);
    UpdateInput made;
    if (shown.samples.empty()) return made;
    const Samples units = loop_.past_.unitsOf(shown.samples);
    made.images = shown.images;
    made.units = indexOn(units, shown.images.device());
    // A class of earlier sessions that was not replayed in this one: without this its own loss is infinite.
    loop_.policy_.beginUpdate(units);
    made.mask = additiveMask(loop_.policy_.visible(units, loop_.registry_.count()), shown.images.device());
    made.form = loop_.policy_.form();
    made.samples = shown.samples;
    made.views = shown.views;
    made.seen = loop_.registry_.count();
    return made;
}

void OnlineLoop::Work::remember(const std::vector<std::int64_t>& samples) {
    if (loop_.kept_) loop_.kept_->replace(samples, loop_.past_.unitsOf(samples));
}

OnlineLoop::OnlineLoop(const LoopSettings& settings, Method& method, TrainSource& train, Evaluator& evaluator,
                       LoopListener& listener)
    : settings_(settings),
      method_(method),
      train_(train),
      evaluator_(evaluator),
      listener_(listener),
      policy_(settings.mask, settings.classes, settings.mask_form),
      style_(method.replay().batch),
      kept_(method.ownMemory() ? nullptr : makeMemory(settings, method)),
      memory_(kept_ ? kept_.get() : method.ownMemory()),
      past_({settings.seed, settings.updates_per_batch, settings.memory_batch}, *memory_, registry_, train),
      memory_random_(settings.seed, purpose::kMemory),
      reference_(settings.classes),
      next_evaluation_(settings.every_samples) {}

OnlineLoop::Samples OnlineLoop::knownUnits(const Samples& session) const {
    Samples units;
    for (const std::int64_t sample : session)
        if (const std::int64_t unit = registry_.unit(train_.label(sample)); unit >= 0) units.push_back(unit);
    return units;
}

void OnlineLoop::prepareReplay(std::int64_t session) {
    if (!kept_) return;
    replay_ = method_.replaysIn(session) ? past_.drawAhead(batches_ + 1) : std::vector<Samples>();
    train_.expect(batches_ + 1, replay_);
}

std::optional<OnlineLoop::Learned> OnlineLoop::learnOnce(std::int64_t update, const Samples& samples,
                                                         const Samples& units, const Samples& replayed) {
    StepUnits step{units, {}};
    StepExtras extras;
    ShownImages shown;
    const auto addPast = [&](std::int64_t draw, const Samples& drawn, const Samples& slots) {
        PastBatch past = past_.shown(batches_, draw, drawn, slots);
        if (past.images.defined()) extras.past.push_back(std::move(past));
    };
    switch (style_) {
        case Replay::Batch::Joined:
            shown = train_.images(batches_, update, samples, replayed);
            for (std::size_t i = samples.size(); i < shown.samples.size(); ++i)
                step.replay.push_back(registry_.unit(train_.label(shown.samples[i])));
            break;
        case Replay::Batch::Apart:
            // First what was announced for this update: images() takes the rest of it for unwanted.
            addPast(update, replayed, {});
            shown = train_.images(batches_, update, samples, {});
            break;
        case Replay::Batch::Twice:
            shown = train_.images(batches_, update, samples, {});
            for (const std::int64_t lot : {0, 1}) {
                const Samples slots = past_.drawnSlots(batches_, update, lot);
                addPast(2 * update + lot, past_.samplesOf(slots), slots);
            }
            // Each lot has a part of its own in the loss: one that is lost takes the other with it.
            if (extras.past.size() == 1) extras.past.clear();
            break;
        case Replay::Batch::Instead: {
            const Samples drawn = past_.samplesOf(past_.drawnSlots(batches_, update, 0));
            if (!drawn.empty()) shown = train_.past(batches_, update, drawn);
            if (shown.samples.empty()) return std::nullopt;
            step = {{}, past_.unitsOf(shown.samples)};
            break;
        }
    }
    extras.samples = shown.samples;
    extras.views = shown.views;
    if (session_ < settings_.sam_sessions && method_.takesSharpness()) extras.sam_reach = settings_.sam_reach;
    std::optional<Random> cutmix;
    if (settings_.cutmix && method_.takesMixedImages())
        cutmix.emplace(settings_.seed, purpose::kCutMix, static_cast<std::uint64_t>(batches_),
                       static_cast<std::uint64_t>(update));
    const bool refers = !referred_ && !step.stream.empty() && method_.hasReference();
    if (refers) method_.keepFeaturesOf(shown.images);
    auto [result, visible] = learnUpdate(method_, policy_, registry_.count(), step, shown.images, cutmix,
                                         settings_.cutmix_each, std::move(extras));
    if (refers) refer(shown, step.stream);
    return Learned{std::move(result), std::move(visible)};
}

void OnlineLoop::refer(const ShownImages& shown, const Samples& units) {
    referred_ = true;
    reference_.learn(method_.referenceFeatures(shown.images, std::ssize(units), shown.views), units);
}

void OnlineLoop::reportWaiting() {
    if (!waiting_) return;
    reported_ = *std::exchange(waiting_, std::nullopt);
    settle(reported_);
    listener_.updated(++updates_, reported_);
}

void OnlineLoop::report(UpdateResult result) {
    // What was launched before has been at work while this one was launched.
    reportWaiting();
    waiting_ = std::move(result);
    if (!waiting_->late || !settings_.read_late) reportWaiting();
}

std::int64_t OnlineLoop::learn(std::int64_t session, std::span<const std::int64_t> planned, std::int64_t next) {
    const std::vector<Samples> replay = std::exchange(replay_, {});
    const Samples samples = train_.open(++batches_, planned);
    std::vector<std::int32_t> labels;
    for (const std::int64_t sample : samples) labels.push_back(train_.label(sample));
    registry_.expose(labels);
    const Samples units = registry_.units(labels);
    // The memory decides without regard to what the updates do, and as it stands now they no longer need it: so what
    // the next batch replays is known before them, and can be read meanwhile.
    const auto draw = [&](std::int64_t n) {
        return static_cast<std::int64_t>(memory_random_.below(static_cast<std::uint64_t>(n)));
    };
    if (kept_) kept_->offer(samples, units, draw);
    prepareReplay(next);
    if (samples.empty()) return 0;

    policy_.beginStep(units);
    samples_seen_ += static_cast<std::int64_t>(samples.size());
    streamed_.insert(streamed_.end(), samples.begin(), samples.end());
    method_.beginBatch({samples, units, [this](const Samples& wanted) { return train_.plain(wanted); }});

    referred_ = false;
    std::vector<bool> visible = policy_.visible(units, registry_.count());
    reported_ = {};
    for (std::int64_t update = 0; update < settings_.updates_per_batch; ++update) {
        const auto index = static_cast<std::size_t>(update);
        auto learned = learnOnce(update, samples, units, index < replay.size() ? replay[index] : Samples());
        if (!learned) continue;
        visible = std::move(learned->visible);
        report(std::move(learned->result));
    }
    reportWaiting();
    method_.endBatch();
    listener_.learned({batches_, session, samples_seen_, samples, visible, reported_});
    return static_cast<std::int64_t>(samples.size());
}

bool OnlineLoop::finishSession(std::int64_t next) {
    Work work(*this);
    const Samples before = memory_->samples();
    due_ = Due::Work;
    const bool whole = method_.afterSession(work);
    reportWaiting();
    if (!whole) {
        work.giveUp();
        return false;
    }
    due_ = Due::Nothing;
    // The samples for the next batch were drawn from a memory that has been changed since.
    if (memory_->samples() != before) prepareReplay(next);
    return true;
}

std::optional<Evaluation> OnlineLoop::measured(TestPart part) {
    // An empty first session has exposed nothing; the official code divides by zero here.
    if (registry_.count() == 0) return std::nullopt;
    bool announced = false;
    Evaluation evaluation = evaluator_.evaluate(
        registry_,
        [&] {
            if (!std::exchange(announced, true)) listener_.evaluating();
            return listener_.ending();
        },
        part, &reference_);
    // No class seen so far has a test sample: nothing was measured, which is not an accuracy of zero.
    if (evaluation.complete && evaluation.predictions.empty()) return std::nullopt;
    return evaluation;
}

bool OnlineLoop::measure(Due due) {
    due_ = due;
    const auto evaluation = measured(due == Due::Anytime      ? TestPart::Anytime
                                     : due == Due::SessionEnd ? TestPart::All
                                                              : TestPart::Early);
    if (evaluation && !evaluation->complete) {
        listener_.evaluationGivenUp();
        return false;
    }
    due_ = Due::Nothing;
    if (!evaluation) return true;
    if (due == Due::EarlyLook)
        listener_.looked(session_, *evaluation);
    else
        listener_.evaluated(due == Due::Anytime ? EvaluationKind::Anytime : EvaluationKind::SessionEnd, session_,
                            *evaluation);
    return true;
}

bool OnlineLoop::looksBehind(std::int64_t learned) const {
    return settings_.early_look > 0 && settings_.early_look < settings_.every_samples &&
           samples_seen_ >= settings_.early_look && samples_seen_ - learned < settings_.early_look &&
           !method_.evaluationsCount();
}

std::int64_t OnlineLoop::sessionBehind(const StreamPlan& plan, std::int64_t session) {
    std::int64_t behind = session + 1;
    while (behind < std::ssize(plan.sessions) && plan.sessions[static_cast<std::size_t>(behind)].empty()) ++behind;
    return behind;
}

bool OnlineLoop::learnSession(const StreamPlan& plan) {
    const std::int64_t next = sessionBehind(plan, session_);
    const std::vector<std::int64_t>& order = plan.sessions[static_cast<std::size_t>(session_)];
    // What a restored run owes: a session whose end is to be measured, or worked on, has nothing else before that.
    const bool endOwed = due_ == Due::SessionEnd, workOwed = due_ == Due::Work;
    if (due_ != Due::Nothing && !endOwed && !workOwed && !measure(due_)) return false;
    if (planned_ == 0 && !endOwed && !workOwed) {
        if (settings_.whole_session) policy_.beginSession(knownUnits(order));
        streamed_.clear();
    }
    while (planned_ < std::ssize(order)) {
        if (!listener_.mayContinue()) return false;
        const auto first = static_cast<std::size_t>(planned_);
        const std::size_t count = std::min(order.size() - first, static_cast<std::size_t>(settings_.batch_size));
        planned_ += static_cast<std::int64_t>(count);
        const bool last = planned_ == std::ssize(order);
        const std::int64_t learned = learn(session_, {order.data() + first, count}, last ? next : session_);
        if (learned > 0 && settings_.every_samples > 0 && samples_seen_ + learned > next_evaluation_) {
            next_evaluation_ += settings_.every_samples;
            if (!measure(Due::Anytime)) return false;
        } else if (!last && looksBehind(learned) && !measure(Due::EarlyLook)) {
            return false;
        }
    }
    const bool evaluateFirst = method_.evaluatesBeforeWork();
    if (!evaluateFirst && !endOwed && !finishSession(next)) return false;
    if (!(evaluateFirst && workOwed) && !measure(Due::SessionEnd)) return false;
    if (evaluateFirst && !finishSession(next)) return false;
    method_.endSession();
    policy_.endSession();
    return true;
}

void OnlineLoop::setEvery(std::int64_t samples) {
    settings_.every_samples = samples;
    if (samples <= 0) return;
    // As if it had been so from the beginning: what the batch before this border has reached is behind it.
    const std::int64_t reached = samples_seen_ == 0 ? 0 : samples_seen_ + settings_.batch_size - 1;
    next_evaluation_ = (reached / samples + 1) * samples;
}

void OnlineLoop::requirePlace(const StreamPlan& plan) const {
    std::int64_t images = 0;
    for (const Samples& session : plan.sessions)
        for (const std::int64_t sample : session) images = std::max(images, sample + 1);
    const auto within = [&](const Samples& samples) {
        return std::all_of(samples.begin(), samples.end(), [&](std::int64_t s) { return s >= 0 && s < images; });
    };
    const auto sessions = std::ssize(plan.sessions);
    const auto plannedIn = [&](std::int64_t session) {
        return std::ssize(plan.sessions[static_cast<std::size_t>(session)]);
    };
    const bool sound =
        session_ >= 0 && session_ <= sessions && planned_ >= 0 &&
        (session_ == sessions || planned_ <= plannedIn(session_)) && within(streamed_) && within(memory_->samples()) &&
        (due_ == Due::Nothing ||
         (session_ < sessions &&
          (due_ == Due::SessionEnd || due_ == Due::Work ? planned_ == plannedIn(session_) : planned_ > 0)));
    if (!sound)
        throw inputError("The saved state stands at a place that the stream does not have.",
                         "Resume from another checkpoint.");
}

bool OnlineLoop::run(const StreamPlan& plan) {
    if (batches_ > 0) requirePlace(plan);
    // After a restore: what the next batch replays follows from the memory.
    if (batches_ > 0 && session_ < std::ssize(plan.sessions))
        prepareReplay(planned_ < std::ssize(plan.sessions[static_cast<std::size_t>(session_)])
                          ? session_
                          : sessionBehind(plan, session_));
    for (; session_ < std::ssize(plan.sessions); ++session_, planned_ = 0)
        if (!learnSession(plan)) return false;
    return true;
}

void OnlineLoop::keep(StateArchive& archive) {
    keepLearned(archive);
    archive.within("evaluation", [&] { evaluator_.keep(archive, registry_); });
}

void OnlineLoop::keepLearned(StateArchive& archive) {
    archive("session", session_);
    archive("planned", planned_);
    archive("batches", batches_);
    archive("samples_seen", samples_seen_);
    archive("updates", updates_);
    archive("every_samples", settings_.every_samples);
    archive("next_evaluation", next_evaluation_);
    // Most states owe nothing, and are as those of older versions.
    if (archive.restoring() ? archive.part().contains("due") : due_ != Due::Nothing) {
        auto due = static_cast<std::int64_t>(due_);
        archive("due", due);
        archive.requireRange("due", {{due}}, 0, static_cast<std::int64_t>(Due::Work));
        due_ = static_cast<Due>(due);
    }
    archive("streamed", streamed_);
    archive("memory_random", memory_random_);
    registry_.keep(archive);
    std::vector<bool> visible = policy_.sessionUnits();
    archive("session_units", visible);
    auto mask = static_cast<std::int64_t>(policy_.kind()), form = static_cast<std::int64_t>(policy_.form());
    archive("mask", mask);
    archive("mask_form", form);
    archive.requireRange("mask", {{mask}}, 0, static_cast<std::int64_t>(MaskKind::Learnable));
    archive.requireRange("mask_form", {{form}}, 0, static_cast<std::int64_t>(MaskForm::Multiplicative));
    if (archive.restoring()) {
        policy_.restoreSessionUnits(std::move(visible));
        policy_.setKind(static_cast<MaskKind>(mask));
        policy_.setForm(static_cast<MaskForm>(form));
    }
    // Older versions kept means of such a method's query as "reference", which cannot be gone on with.
    archive.within(method_.frozenAreFinal() ? "reference" : "final_reference", [&] { reference_.keep(archive); });
    if (kept_) archive.within("memory", [&] { kept_->keep(archive); });
    archive.within("method", [&] { method_.keep(archive); });
}

}  // namespace palimpsest
