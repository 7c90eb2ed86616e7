// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/run_recorder.h"

#include <sys/resource.h>
#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/support/error.h"

namespace palimpsest {
namespace {

constexpr std::chrono::milliseconds kFrame{40}, kReport{250}, kMemory{1000};

double seconds(std::chrono::steady_clock::duration duration) {
    return std::chrono::duration<double>(duration).count();
}

}  // namespace

std::int64_t peakMemoryBytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<std::int64_t>(usage.ru_maxrss) * 1024;
}

RunRecorder::RunRecorder(const Setup& setup)
    : setup_(setup),
      retention_(*setup.plan, setup.experiment.evaluation.session_data),
      prompt_use_(static_cast<std::size_t>(setup.pool_size), 0) {}

template <class Event>
void RunRecorder::tell(void (RunObserver::*call)(const Event&), const Event& event) {
    (setup_.folder.*call)(event);
    (setup_.observer.*call)(event);
}

void RunRecorder::state(RunState state, const std::string& detail) {
    // A run that is ending stays so.
    if (ending_ && state != RunState::Stopping) return;
    tell(&RunObserver::onState, StateChanged{setup_.run, state, detail});
}

void RunRecorder::record(const char* command) {
    setup_.folder.recordCommand(loop_ ? loop_->samplesSeen() : 0, command, "");
}

double RunRecorder::activeSeconds() const { return seconds(Clock::now() - start_ - paused_); }

bool RunRecorder::mayContinue() {
    setup_.folder.throwIfFailed();
    if (!started_learning_) {
        started_learning_ = true;
        state(RunState::Running, "");
    }
    if (std::exchange(working_, false)) state(RunState::Running, "");
    return passBorder();
}

bool RunRecorder::working(const std::string& what, std::int64_t done, std::int64_t total) {
    // A single batch includes the work that a session leaves behind it.
    if (setup_.control.stepping() ? ending() : !passBorder()) return false;
    const auto now = Clock::now();
    if (now - last_work_ < kReport) return true;
    last_work_ = now;
    working_ = true;
    setup_.folder.throwIfFailed();
    state(RunState::Running, what + " " + std::to_string(done) + " of " + std::to_string(total));
    return true;
}

bool RunRecorder::passBorder() {
    bool waited = stepped_;
    Clock::time_point pauseBegin{};
    setup_.control.atBatchBorder([&](bool paused) {
        if (paused) {
            pauseBegin = Clock::now();
            // A step includes the pause behind it.
            if (!std::exchange(waited, true)) record("pause");
            state(RunState::Paused, "");
            showMemory();
        } else {
            paused_ += Clock::now() - pauseBegin;
            if (!ending()) state(RunState::Running, "");
        }
    });
    batch_begin_ = Clock::now();
    if (ending()) return false;
    stepped_ = setup_.control.stepped();
    if (stepped_)
        record("step");
    else if (waited)
        record("resume");
    return true;
}

bool RunRecorder::ending() {
    const auto verdict = setup_.control.verdict();
    if (verdict == RunControl::Verdict::Continue) return false;
    if (!std::exchange(ending_, true)) {
        record(verdict == RunControl::Verdict::Stop ? "stop" : "abort");
        state(RunState::Stopping, "");
    }
    return true;
}

void RunRecorder::updated(std::int64_t update, const UpdateResult& result) {
    if (!std::isfinite(result.loss)) {
        throw runError("The loss is no longer a number after " + std::to_string(loop_->samplesSeen()) + " samples.",
                       "Lower the learning rate (training.learning_rate) and start again.");
    }
    for (const std::int64_t prompt : result.selected)
        if (prompt >= 0 && prompt < static_cast<std::int64_t>(prompt_use_.size()))
            ++prompt_use_[static_cast<std::size_t>(prompt)];
    tell(&RunObserver::onUpdate, UpdateDone{setup_.run, loop_->samplesSeen(), update, result.loss, result.accuracy,
                                            result.learning_rate.value_or(setup_.experiment.training.learning_rate)});
    // Told now, although the batch is learned to its end.
    ending();
}

void RunRecorder::learned(const Batch& batch) {
    training_ += Clock::now() - batch_begin_;
    trained_ += static_cast<std::int64_t>(batch.samples.size());
    ++batches_;
    retention_.expose(loop_->registry().exposed(), batch.session);
    const auto now = Clock::now();
    const bool stepping = setup_.control.stepping();
    if (stepping || now - last_progress_ >= kFrame) {
        sendProgress(batch);
        last_progress_ = now;
    }
    if (stepping || now - last_batch_sent_ >= kFrame) {
        sendBatch(batch);
        last_batch_sent_ = now;
    }
    // The pause behind a step shows it anyhow.
    if (!stepping && now - last_memory_ >= kMemory) showMemory();
}

std::optional<MemoryHeld> RunRecorder::memoryHeld() const {
    if (!loop_ || loop_->memory().capacity() <= 0) return std::nullopt;
    MemoryHeld held;
    held.run = setup_.run;
    held.samples_seen = loop_->samplesSeen();
    held.capacity = loop_->memory().capacity();
    std::vector<KeptSample> kept;
    for (const std::int64_t sample : loop_->memory().samples()) kept.push_back({sample, setup_.train.label(sample)});
    held.kept = std::move(kept);
    held.seen_classes = loop_->registry().exposed();
    return held;
}

void RunRecorder::showMemory() {
    if (const auto held = memoryHeld()) setup_.observer.onMemory(*held);
    last_memory_ = Clock::now();
}

void RunRecorder::recordMemory() {
    if (const auto held = memoryHeld()) tell(&RunObserver::onMemory, *held);
    last_memory_ = Clock::now();
}

void RunRecorder::sendProgress(const Batch& batch) {
    Progress progress;
    progress.run = setup_.run;
    progress.samples_seen = batch.samples_seen;
    progress.total_samples = setup_.plan->totalSamples() - left_out_of_stream_;
    progress.session = batch.session;
    progress.images_per_second = static_cast<double>(trained_) / std::max(1e-9, seconds(training_));
    const double share = static_cast<double>(batch.samples_seen) / static_cast<double>(progress.total_samples);
    progress.seconds_left = batch.number < 5 ? -1 : activeSeconds() * (1 - share) / share;
    tell(&RunObserver::onProgress, progress);
}

void RunRecorder::sendBatch(const Batch& batch) {
    BatchLearned event;
    event.run = setup_.run;
    event.batch = batch.number;
    event.samples_seen = batch.samples_seen;
    event.session = batch.session;
    event.loss = batch.last.loss;
    event.accuracy = batch.last.accuracy;
    event.images = setup_.train.thumbnails(batch.number, batch.samples);
    event.seen_classes = loop_->registry().exposed();
    for (std::size_t unit = 0; unit < event.seen_classes.size(); ++unit)
        if (batch.visible[unit]) event.visible_classes.push_back(event.seen_classes[unit]);
    // Which class takes which of the outputs behind them is not known before it comes.
    event.unseen_open = std::find(batch.visible.begin() + std::ssize(event.seen_classes), batch.visible.end(), true) !=
                        batch.visible.end();
    event.prompt_use = prompt_use_;
    tell(&RunObserver::onBatch, event);
}

void RunRecorder::leftOut(const std::string& text, bool training) {
    ++left_out_;
    left_out_of_stream_ += training;
    tell(&RunObserver::onImageLeftOut, ImageLeftOut{setup_.run, text, training, left_out_});
}

void RunRecorder::evaluating() { state(RunState::Running, "Evaluating"); }

TestClasses RunRecorder::predictionsOf(const Evaluation& evaluation) const {
    if (setup_.test_images <= 0) return nullptr;
    std::vector<std::int32_t> classes(static_cast<std::size_t>(setup_.test_images), kNotTested);
    const auto& exposed = loop_->registry().exposed();
    for (std::size_t i = 0; i < evaluation.samples.size(); ++i) {
        const auto unit = static_cast<std::size_t>(evaluation.predictions[i]);
        classes[static_cast<std::size_t>(evaluation.samples[i])] = unit < exposed.size() ? exposed[unit] : kNoClassYet;
    }
    return std::make_shared<const std::vector<std::int32_t>>(std::move(classes));
}

void RunRecorder::evaluated(EvaluationKind kind, std::int64_t session, const Evaluation& evaluation) {
    Evaluated event;
    event.run = setup_.run;
    event.kind = kind;
    event.samples_seen = loop_->samplesSeen();
    event.session = session;
    event.updates = loop_->updates();
    event.accuracy = evaluation.accuracy;
    event.loss = evaluation.loss;
    const auto& exposed = loop_->registry().exposed();
    for (std::size_t unit = 0; unit < evaluation.units.size(); ++unit)
        event.classes.push_back({exposed[unit], evaluation.units[unit].correct, evaluation.units[unit].samples});
    event.predictions = predictionsOf(evaluation);
    event.prompt_use = prompt_use_;
    if (kind == EvaluationKind::Anytime) {
        anytime_.push_back(evaluation.accuracy);
    } else {
        session_end_.push_back(evaluation.accuracy);
        // The official code's table has a column for every class, exposed or not.
        std::vector<Hits> hits = evaluation.units;
        hits.resize(static_cast<std::size_t>(std::max<std::int64_t>(setup_.plan->settings.classes, 0)));
        session_hits_.push_back(std::move(hits));
    }
    recordMemory();
    tell(&RunObserver::onEvaluated, event);
    if (kind == EvaluationKind::SessionEnd) {
        const SessionEnded ended{setup_.run, session, loop_->samplesSeen(),
                                 retention_.addRow(session, exposed, evaluation.units)};
        tell(&RunObserver::onSessionEnded, ended);
    }
    state(RunState::Running, "");
    setup_.folder.throwIfFailed();
}

Summary RunRecorder::summary() const {
    Summary summary;
    summary.sessions_ended = static_cast<std::int64_t>(session_end_.size());
    summary.a_auc = areaUnderCurve(anytime_);
    summary.a_last = lastAccuracy(retention_.matrix());
    summary.a_avg = averageAccuracy(session_end_);
    if (!session_end_.empty()) summary.a_last_overall = session_end_.back();
    // What was measured once cannot have been forgotten: not defined, rather than 0 or the official code's -999.
    if (session_hits_.size() > 1) {
        summary.f_last = lastForgetting(retention_.matrix());
        summary.f_last_classwise = classwiseForgetting(session_hits_);
    }
    summary.seconds = activeSeconds();
    summary.images_per_second = trained_ > 0 ? static_cast<double>(trained_) / std::max(1e-9, seconds(training_)) : 0;
    summary.batch_seconds = batches_ > 0 ? seconds(training_) / static_cast<double>(batches_) : 0;
    summary.peak_memory_bytes = peakMemoryBytes();
    return summary;
}

}  // namespace palimpsest
