// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <functional>

#include "engine/record/run_folder_writer.h"
#include "engine/run/run_control.h"
#include "engine/run/run_events.h"
#include "engine/support/clock.h"
#include "engine/train/online_loop.h"
#include "engine/train/prompt_homes.h"
#include "engine/train/push_totals.h"
#include "engine/train/run_measures.h"

namespace palimpsest {

class StateArchive;

/// Turns what the loop reports into events for the run folder first, then for the observer, and the user's commands
/// into the loop's answers. Gathers the numbers of the summary.
class RunRecorder : public LoopListener {
public:
    struct Setup {
        std::int64_t run = 0;
        const Experiment& experiment;
        std::shared_ptr<const StreamPlan> plan;
        RunControl& control;
        RunObserver& observer;
        RunFolderWriter& folder;
        TrainSource& train;
        std::int64_t pool_size = 0;
        std::int64_t test_images = 0;  ///< 0: predictions are not reported
        /// Learning rate of the optimiser, for updates that do not say theirs.
        std::function<double()> learning_rate{};
    };
    explicit RunRecorder(const Setup& setup);
    /// Calls between two batches.
    struct Hooks {
        /// Keeps the run's state: always behind an evaluation, else when asked for, when a pause begins and when the
        /// run is stopped. Null: nothing is kept.
        std::function<void(bool evaluated)> keep_state{};
        /// Makes a change. Null: there are none.
        std::function<void(const LiveChange&)> change{};
        /// Holds the state in memory, before work that changes it. Null: nothing is held.
        std::function<void()> hold_state{};
        /// Keeps the state that was held last. Null: it is not kept.
        std::function<void()> keep_held_state{};
    };
    /// Before the loop runs.
    void attach(const OnlineLoop& loop) { loop_ = &loop; }
    void attach(const OnlineLoop& loop, Hooks hooks) {
        loop_ = &loop;
        hooks_ = std::move(hooks);
    }

    /// The loop begins to run: what the method waits for from here on is part of the run, and no more of preparing it.
    void beginLearning() { begun_ = true; }

    bool mayContinue() override;
    bool working(const std::string& what, std::int64_t done, std::int64_t total) override;
    bool ending() override;
    /// Throws Error(Run) when the loss is not finite.
    void updated(std::int64_t update, const UpdateResult& result) override;
    void learned(const Batch& batch) override;
    /// Before every evaluation, and to be called once after the last batch: what the memory holds, for the run folder
    /// and the observer.
    void recordMemory();
    /// An image that could not be read.
    void leftOut(const std::string& text, bool training);
    void evaluating() override;
    /// The user ended the program that learns in the method's place, while it did what the sentence says.
    void learnerStopped(const std::string& sentence);
    /// The method waits for its learner in the middle of a call; absent: no more.
    void waiting(const std::optional<LearnerWait>& wait);
    void evaluationGivenUp() override;
    void workChanges() override;
    void workGivenUp(bool changed) override;
    void looked(std::int64_t session, const Evaluation& evaluation) override;
    void evaluated(EvaluationKind kind, std::int64_t session, const Evaluation& evaluation) override;

    Summary summary() const;
    /// Calls keep_state where an evaluation, or a batch, has not been kept yet; to be called once more at the end.
    void keepState();

    /// Saves or restores what has been measured so far. Between two batches.
    void keep(StateArchive& archive);
    /// Seconds that the run has taken so far, and those of training alone; a fork's are its own.
    struct Seconds {
        double active = 0, training = 0;
    };
    Seconds seconds() const;
    /// Images and batches up to the state, a fork's shared past included.
    SharedPast learnedSoFar() const { return {trained_, batches_}; }
    /// After a restore: times go on from there, and speeds leave out what was not learned in this run.
    void resumeFrom(const Seconds& seconds, const SharedPast& shared);

private:
    using Clock = std::chrono::steady_clock;
    template <class Event>
    void send(void (RunObserver::*call)(const Event&), const Event& event);
    void state(RunState state, const std::string& detail, PauseReason reason = PauseReason::Asked,
               const std::optional<LearnerWait>& wait = {});
    /// The same, said once with what the run waits for meanwhile.
    bool ending(const std::optional<LearnerWait>& wait);
    /// Waits while paused; false: the run is to end.
    bool passBorder(bool betweenBatches);
    /// Waits while the run's folder cannot be written; false: the run is to end.
    bool waitForRoom(bool betweenBatches);
    void record(const std::string& command, const std::string& argument = "");
    void makeChanges();
    /// Pauses the run where the condition that the user set holds.
    void pauseWhere(bool sessionEnded, std::int64_t session, const std::vector<ClassCount>& classes);
    /// From now on, evaluations take so many test images at once.
    void warnOfHalving(std::int64_t batch);
    /// Once in a run: what is only recorded of evaluations is left out.
    void warnOfUnrecorded();
    /// Speed of training alone; 0: nothing learned yet.
    double imagesPerSecond() const;
    void sendProgress(const Batch& batch);
    void sendBatch(const Batch& batch);
    /// Absent without a memory.
    std::optional<MemoryHeld> memoryHeld() const;
    /// Sends what the memory holds to the observer alone: the moments differ from run to run.
    void showMemory();

    Setup setup_;
    Hooks hooks_;
    const OnlineLoop* loop_ = nullptr;
    RunMeasures measures_;
    std::vector<std::int64_t> prompt_use_;
    PromptHomes homes_;
    PushTotals pushes_;
    std::int64_t pushes_taken_at_ = -1;  // images seen
    RunClock clock_;
    Clock::time_point last_batch_sent_{}, last_progress_{}, last_work_{}, last_memory_{};
    SharedPast shared_;
    std::int64_t trained_ = 0, batches_ = 0, left_out_ = 0, left_out_of_stream_ = 0;
    std::int64_t kept_batches_ = -1;  // when the state was kept last
    bool evaluated_ = true;           // since then; the beginning is kept, too
    bool begun_ = false, started_learning_ = false, stepped_ = false, ending_ = false, working_ = false;
    bool evaluating_ = false;
    bool warned_of_unrecorded_ = false;
    std::string why_paused_;  // by the condition that holds; empty: the next pause is the user's
};

}  // namespace palimpsest
