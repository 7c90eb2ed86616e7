// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/run_recorder.h"

#include <algorithm>
#include <cmath>
#include <new>
#include <utility>

#include "engine/checkpoint/state_archive.h"
#include "engine/record/checkpoints.h"
#include "engine/support/error.h"
#include "engine/support/format.h"
#include "engine/support/memory_reserve.h"
#include "engine/support/process.h"
#include "engine/train/run_news.h"

namespace palimpsest {
namespace {

constexpr std::chrono::milliseconds kFrame{40}, kReport{250}, kMemory{1000}, kRoom{1000};

/// "41.3 %".
template <class Part, class Whole>
std::string percentOf(Part part, Whole whole) {
    return fixedText(100 * static_cast<double>(part) / static_cast<double>(whole), 1) + " %";
}

/// Why a run is to pause after an evaluation, in a sentence; empty: the condition does not hold. `session`: the one
/// that goes on, or has ended just now. `classes`: what was measured.
std::string pauseReason(const PauseCondition& when, bool sessionEnded, std::int64_t session,
                        const std::vector<ClassCount>& classes, const Retention& retention) {
    std::string why;
    if (when.session_end && sessionEnded) why = "Session " + std::to_string(session + 1) + " has ended.";
    if (!when.session) return why;
    Hits hits;
    for (const ClassCount& count : classes)
        if (retention.sessionOf(count.label) == *when.session) {
            hits.correct += count.correct;
            hits.samples += count.samples;
        }
    if (hits.samples > 0 && static_cast<double>(hits.correct) < when.below * static_cast<double>(hits.samples))
        why = "The accuracy of session " + std::to_string(*when.session + 1) + " is " +
              percentOf(hits.correct, hits.samples) + ", below the " + percentOf(when.below, 1) +
              " that were asked for.";
    return why;
}

}  // namespace

RunRecorder::RunRecorder(const Setup& setup)
    : setup_(setup),
      measures_(setup.plan, setup.experiment.evaluation.session_data),
      prompt_use_(static_cast<std::size_t>(setup.pool_size), 0),
      homes_(setup.pool_size) {}

template <class Event>
void RunRecorder::send(void (RunObserver::*call)(const Event&), const Event& event) {
    (setup_.folder.*call)(event);
    (setup_.observer.*call)(event);
}

void RunRecorder::state(RunState state, const std::string& detail, PauseReason reason,
                        const std::optional<LearnerWait>& wait) {
    // A run that is ending stays so.
    if (ending_ && state != RunState::Stopping) return;
    send(&RunObserver::onState, StateChanged{setup_.run, state, detail, reason, wait});
}

void RunRecorder::record(const std::string& command, const std::string& argument) {
    setup_.folder.recordCommand(loop_ ? loop_->samplesSeen() : 0, command, argument);
}

void RunRecorder::makeChanges() {
    if (!hooks_.change) return;
    for (const LiveChange& change : setup_.control.takeChanges(loop_->samplesSeen())) {
        hooks_.change(change);
        record("change", toText(change));
        send(&RunObserver::onChange, ChangeMade{setup_.run, loop_->samplesSeen(), change.key, change.value});
    }
}

void RunRecorder::pauseWhere(bool sessionEnded, std::int64_t session, const std::vector<ClassCount>& classes) {
    const auto holds = [&](const PauseCondition& when) {
        const std::string why = pauseReason(when, sessionEnded, session, classes, measures_.retention());
        if (!why.empty()) why_paused_ = why;
        return !why_paused_.empty();
    };
    if (setup_.control.takePauseWhere(holds)) setup_.control.pause();
}

double RunRecorder::imagesPerSecond() const {
    return clock_.imagesPerSecond(trained_ - shared_.images);
}

bool RunRecorder::waitForRoom(bool betweenBatches) {
    if (setup_.folder.failure().empty()) return true;
    const Clock::time_point begin = Clock::now();
    state(RunState::Paused, setup_.folder.failure() + ". The run goes on as soon as it can be written.",
          PauseReason::Unwritable);
    while (!setup_.folder.failure().empty() && setup_.control.waitFor(kRoom)) {
        setup_.folder.retry();
        if (betweenBatches && setup_.folder.failure().empty()) keepState();
    }
    clock_.addPause(Clock::now() - begin);
    if (ending()) return false;
    state(RunState::Running, "");
    return true;
}

void RunRecorder::keepState() {
    if (!hooks_.keep_state || (!evaluated_ && kept_batches_ == batches_)) return;
    hooks_.keep_state(evaluated_);
    if (!setup_.folder.failure().empty()) return;
    evaluated_ = false;
    kept_batches_ = batches_;
}

bool RunRecorder::mayContinue() {
    pushes_.beginBatch();
    if (evaluated_ || setup_.control.takeKeepState()) keepState();
    if (!holdMemoryBack()) {
        keepState();
        throw std::bad_alloc();
    }
    if (!waitForRoom(true)) return false;
    if (!started_learning_) {
        started_learning_ = true;
        state(RunState::Running, "");
    }
    if (std::exchange(working_, false)) state(RunState::Running, "");
    return passBorder(true);
}

bool RunRecorder::working(const std::string& what, std::int64_t done, std::int64_t total) {
    // A single batch includes the work that a session leaves behind it.
    if (setup_.control.stepping() ? ending() : !passBorder(false)) return false;
    const auto now = Clock::now();
    if (now - last_work_ < kReport) return true;
    last_work_ = now;
    working_ = true;
    if (!waitForRoom(false)) return false;
    state(RunState::Running, what + " " + std::to_string(done) + " of " + std::to_string(total));
    return true;
}

bool RunRecorder::passBorder(bool betweenBatches) {
    bool waited = stepped_;
    const auto border = Clock::now();
    const auto sendPause = [&](bool paused) {
        if (paused) {
            // A step includes the pause behind it.
            if (!std::exchange(waited, true)) record("pause");
            if (betweenBatches) keepState();
            state(RunState::Paused, why_paused_, why_paused_.empty() ? PauseReason::Asked : PauseReason::Condition);
            showMemory();
        } else if (!ending()) {
            state(RunState::Running, "");
        }
    };
    setup_.control.atBatchBorder(sendPause, loop_ ? loop_->samplesSeen() : 0);
    why_paused_.clear();
    const auto behind = Clock::now();
    clock_.beginBatch(behind);
    // Neither a pause nor the turn of a run beside this one is its own time.
    clock_.addPause(behind - border);
    if (ending()) {
        if (betweenBatches && setup_.control.verdict() == RunControl::Verdict::Stop) keepState();
        return false;
    }
    // A change that was made while the run stood still comes before what is learned next.
    if (betweenBatches) makeChanges();
    stepped_ = setup_.control.stepped();
    if (stepped_)
        record("step");
    else if (waited)
        record("resume");
    return true;
}

bool RunRecorder::ending() {
    return ending(std::nullopt);
}

bool RunRecorder::ending(const std::optional<LearnerWait>& wait) {
    const auto verdict = setup_.control.verdict();
    if (verdict == RunControl::Verdict::Continue) return false;
    if (!std::exchange(ending_, true)) {
        record(verdict == RunControl::Verdict::Stop ? "stop" : "abort");
        state(RunState::Stopping, "", PauseReason::Asked, wait);
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
    homes_.learn(result.units, result.selected);
    pushes_.add(result.pushes, result.besides);
    send(&RunObserver::onUpdate,
         UpdateDone{setup_.run, loop_->samplesSeen(), update, result.loss, result.accuracy,
                    result.learning_rate.value_or(setup_.learning_rate ? setup_.learning_rate()
                                                                       : setup_.experiment.training.learning_rate)});
    if (result.plateau)
        send(&RunObserver::onPlateau,
             PlateauFound{setup_.run, loop_->samplesSeen(), update, result.plateau->mean, result.plateau->variance});
    // Sent now, although the batch is learned to its end.
    ending();
}

void RunRecorder::learned(const Batch& batch) {
    clock_.endBatch();
    trained_ += static_cast<std::int64_t>(batch.samples.size());
    ++batches_;
    measures_.retention().expose(loop_->registry().exposed(), batch.session);
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
    return memoryEvent(setup_.run, loop_->samplesSeen(), loop_->memory(), setup_.train, loop_->registry().exposed());
}

void RunRecorder::showMemory() {
    if (const auto held = memoryHeld()) setup_.observer.onMemory(*held);
    last_memory_ = Clock::now();
}

void RunRecorder::recordMemory() {
    if (const auto held = memoryHeld()) send(&RunObserver::onMemory, *held);
    last_memory_ = Clock::now();
}

void RunRecorder::sendProgress(const Batch& batch) {
    Progress progress;
    progress.run = setup_.run;
    progress.samples_seen = batch.samples_seen;
    progress.total_samples = setup_.plan->totalSamples() - left_out_of_stream_;
    progress.session = batch.session;
    progress.images_per_second = imagesPerSecond();
    const auto own = static_cast<double>(batch.samples_seen - shared_.images);
    const auto left = static_cast<double>(progress.total_samples - batch.samples_seen);
    progress.seconds_left = batches_ - shared_.batches < 5 ? -1 : clock_.active() * left / own;
    send(&RunObserver::onProgress, progress);
}

void RunRecorder::sendBatch(const Batch& batch) {
    BatchLearned event = batchEvent(setup_.run, batch, loop_->registry().exposed());
    event.images = setup_.train.thumbnails(batch.number, batch.samples);
    event.prompt_use = prompt_use_;
    event.pushes = pushes_.ofBatch(loop_->registry().exposed());
    send(&RunObserver::onBatch, event);
}

void RunRecorder::leftOut(const std::string& text, bool training) {
    ++left_out_;
    left_out_of_stream_ += training;
    send(&RunObserver::onImageLeftOut, ImageLeftOut{setup_.run, text, training, left_out_});
}

void RunRecorder::waiting(const std::optional<LearnerWait>& wait) {
    // A resumed run may owe an evaluation before its first batch. The folder hears nothing of what comes before the
    // loop.
    if (!begun_)
        setup_.observer.onState({.run = setup_.run,
                                 .state = setup_.control.ending() ? RunState::Stopping : RunState::Preparing,
                                 .wait = wait});
    else if (ending(wait))
        state(RunState::Stopping, "", PauseReason::Asked, wait);
    else
        state(RunState::Running, !wait && evaluating_ ? "Evaluating" : "", PauseReason::Asked, wait);
}

void RunRecorder::learnerStopped(const std::string& sentence) {
    if (setup_.control.verdict() != RunControl::Verdict::Stop) return;
    std::vector<std::int64_t> kept;
    try {
        kept = listCheckpoints(setup_.folder.folder());
    } catch (const Error&) {
        // Whoever resumes the run is told.
    }
    send(&RunObserver::onWarned,
         RunWarned{setup_.run, loop_->samplesSeen(),
                   sentence + (kept.empty()        ? " There is no checkpoint to go on from."
                               : kept.front() == 0 ? " The run can go on from its beginning."
                                                   : " The run can go on from its checkpoint at " +
                                                         counted(kept.front(), "image", "images") + ".")});
}

void RunRecorder::evaluating() {
    evaluating_ = true;
    state(RunState::Running, "Evaluating");
}

void RunRecorder::evaluationGivenUp() {
    // Not keepState(): the hash of this moment's state belongs to the one behind the evaluation.
    if (hooks_.keep_state && setup_.control.verdict() == RunControl::Verdict::Stop) hooks_.keep_state(false);
}

void RunRecorder::workChanges() {
    if (hooks_.hold_state) hooks_.hold_state();
}

void RunRecorder::workGivenUp(bool changed) {
    if (!changed)
        evaluationGivenUp();  // the same holds here
    else if (hooks_.keep_held_state && setup_.control.verdict() == RunControl::Verdict::Stop)
        hooks_.keep_held_state();
}

void RunRecorder::looked(std::int64_t session, const Evaluation& evaluation) {
    send(&RunObserver::onEarlyLook,
         EarlyLook{setup_.run, loop_->samplesSeen(), session, loop_->updates(), evaluation.accuracy, evaluation.loss,
                   std::ssize(evaluation.units), std::ssize(evaluation.predictions)});
    evaluating_ = false;
    state(RunState::Running, "");
}

void RunRecorder::warnOfHalving(std::int64_t batch) {
    const std::int64_t seen = loop_->samplesSeen();
    send(&RunObserver::onWarned,
         RunWarned{setup_.run, seen,
                   "From " + grouped(seen) + " images on, the memory was not enough to measure more than " +
                       grouped(batch) +
                       " test images at once. Losses, means over such batches, and hashes of "
                       "states can differ from those of a run with more memory."});
}

void RunRecorder::warnOfUnrecorded() {
    if (std::exchange(warned_of_unrecorded_, true)) return;
    const std::int64_t seen = loop_->samplesSeen();
    send(&RunObserver::onWarned,
         RunWarned{setup_.run, seen,
                   "At " + grouped(seen) +
                       " images, the memory was not enough to record most probable classes, features and watched "
                       "images; where that is so, they are left out. What is learned and measured is the same."});
}

void RunRecorder::evaluated(EvaluationKind kind, std::int64_t session, const Evaluation& evaluation) {
    const std::vector<std::int32_t>& exposed = loop_->registry().exposed();
    Evaluated event = evaluationEvent(evaluation, exposed, setup_.test_images);
    event.run = setup_.run;
    event.kind = kind;
    event.samples_seen = loop_->samplesSeen();
    event.session = session;
    event.updates = loop_->updates();
    event.prompt_use = prompt_use_;
    // A second evaluation of one moment is recorded no more: what was learned in between counts in the next row.
    if (std::exchange(pushes_taken_at_, event.samples_seen) != event.samples_seen) event.pushes = pushes_.take(exposed);
    event.router = homes_.accuracy(evaluation.truth, evaluation.chosen);
    event.agreement = evaluation.agreement;
    measures_.add(kind, evaluation, event.router);
    if (evaluation.halved_to > 0) warnOfHalving(evaluation.halved_to);
    if (evaluation.unrecorded) warnOfUnrecorded();
    recordMemory();
    if (evaluation.features) {
        FeatureMoment features = *evaluation.features;
        features.samples_seen = event.samples_seen;
        setup_.folder.recordFeatures(features, setup_.plan->totalSamples());
    }
    // Who hears of the evaluation finds the rows.
    setup_.folder.recordWatched(event.samples_seen, watchedRows(evaluation, exposed));
    send(&RunObserver::onEvaluated, event);
    if (kind == EvaluationKind::SessionEnd) {
        const SessionEnded ended{setup_.run, session, loop_->samplesSeen(),
                                 measures_.retention().addRow(session, exposed, evaluation.units)};
        send(&RunObserver::onSessionEnded, ended);
    }
    pauseWhere(kind == EvaluationKind::SessionEnd, session, event.classes);
    evaluated_ = true;
    evaluating_ = false;
    state(RunState::Running, "");
    waitForRoom(false);
}

Summary RunRecorder::summary() const {
    Summary summary = measures_.summary();
    summary.seconds = clock_.active();
    summary.images_per_second = imagesPerSecond();
    const std::int64_t ownBatches = batches_ - shared_.batches;
    summary.batch_seconds = ownBatches > 0 ? clock_.training() / static_cast<double>(ownBatches) : 0;
    summary.peak_memory_bytes = peakMemoryBytes();
    return summary;
}

RunRecorder::Seconds RunRecorder::seconds() const {
    return {clock_.active(), clock_.training()};
}

void RunRecorder::resumeFrom(const Seconds& seconds, const SharedPast& shared) {
    shared_ = shared;
    clock_.resumeFrom(seconds.active, seconds.training);
}

void RunRecorder::keep(StateArchive& archive) {
    measures_.keep(archive);
    archive("prompt_use", prompt_use_);
    archive.within("prompt_homes", [&] { homes_.keep(archive); });
    archive.within("pushes", [&] { pushes_.keep(archive); });
    // The evaluation still to come may be the second of its moment.
    if (archive.restoring() ? archive.part().contains("pushes_taken_at") : loop_ && loop_->owesStep())
        archive("pushes_taken_at", pushes_taken_at_);
    // An evaluation whose state is to be kept behind the work that comes after it.
    bool evaluated = evaluated_;
    if (archive.restoring() ? archive.part().contains("evaluated") : loop_ && loop_->owesWork())
        archive("evaluated", evaluated);
    else
        evaluated = false;
    archive("trained", trained_);
    archive("batches", batches_);
    archive("left_out", left_out_);
    archive("left_out_of_stream", left_out_of_stream_);
    if (archive.restoring()) {
        // The state that was restored is kept already.
        evaluated_ = evaluated;
        kept_batches_ = batches_;
    }
}

}  // namespace palimpsest
