// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <array>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/learner/learner_permit.h"
#include "engine/learner/learner_wait.h"
#include "engine/run/laboratory.h"
#include "ui/state/experiment_draft.h"
#include "ui/state/launch.h"
#include "ui/state/run_lane.h"

namespace palimpsest {

/// Starts, pauses, resumes and stops runs, and knows when each is possible. Owns the draft, and a lane for each of the
/// two runs that can run at once: the draft's own, and that of another experiment, which is started with it and stays
/// in step with it.
class RunController : public QObject {
    Q_OBJECT
public:
    static constexpr std::size_t kLanes = 2;
    /// Topic of a note, and so how long it holds: reason why nothing started, why a run paused under its condition, or
    /// why it waits until the user makes room on the disk.
    enum class Note { Refused, Paused, Waiting };
    Q_ENUM(Note)

    using ResumeFunction = decltype(Laboratory::resume);
    using ForkFunction = decltype(Laboratory::fork);
    /// Without `resume` no run can be resumed, without `fork` none can be forked.
    RunController(const OptionTable* table, const RunFunction& run, ResumeFunction resume = {}, ForkFunction fork = {});
    /// Aborts a run that is still going on and waits for its end; quit politely with stop() and ended() before.
    ~RunController() override;

    ExperimentDraft* draft() { return &draft_; }
    RunBridge* bridge(std::size_t lane = 0) { return lanes_[lane]->bridge(); }
    const RunLane& lane(std::size_t lane) const { return *lanes_[lane]; }
    static QString laneName(std::size_t lane) { return lane == 0 ? tr("Lane A") : tr("Lane B"); }

    /// State of all lanes as the user sees it: a single step does not flicker between paused and running.
    RunState state() const { return shown_; }
    /// "Reading Fashion-MNIST, then pausing", "Evaluating, then pausing", "Pausing after this batch"; may be empty.
    QString detail() const { return detail_; }
    /// The wait that detail() tells of, and of nothing else; else absent.
    const std::optional<LearnerWait>& wait() const { return wait_; }
    bool busy() const { return shown_ != RunState::Idle; }
    /// A pause was requested and has not been reached yet.
    bool pauses() const { return shown_ == RunState::Running && pause_wanted_ && !stop_wanted_; }
    bool canStart() const { return shown_ == RunState::Idle; }
    bool canPause() const { return shown_ == RunState::Running || shown_ == RunState::Preparing; }
    bool canResume() const { return shown_ == RunState::Paused; }
    bool canStep() const { return shown_ == RunState::Paused; }
    bool canStop() const { return busy() && shown_ != RunState::Stopping; }
    /// True while a run that was asked to stop waits for a program that learns, which stopNow() ends.
    bool canStopNow() const { return awaits_learner_ && shown_ == RunState::Stopping; }
    /// The reason that canStopNow() is true; else absent.
    std::optional<LearnerWait> stopWaitsFor() const;
    bool canFork() const { return fork_ != nullptr; }
    /// Sets who decides what Start begins; null: the draft alone, without an obstacle.
    void setPlanner(const LaunchPlanner* planner) { planner_ = planner; }
    /// Begins this launch and emits starting(). If that is not possible now, noted() or failed() says why.
    void start(Launch launch);
    /// The present launch, or the last one.
    const Launch& launch() const { return launch_; }
    bool replayed() const { return std::holds_alternative<ReplayLaunch>(launch_); }
    bool replaying() const { return replayed() && busy(); }
    bool paired() const { return std::holds_alternative<LanesLaunch>(launch_); }
    /// The experiment that the current run of the draft was started with, and what was changed in it since; null when
    /// nothing is going on.
    const Experiment* running() const { return busy() && !replayed() ? &lanes_[0]->experiment() : nullptr; }

    /// running() with the changes that the run has not applied yet.
    Experiment expected() const;
    /// There are changes that the run has not applied yet.
    bool hasPendingChanges() const { return !pending_.empty(); }
    /// The run of the draft, or of another lane, changes these options at its next batch. Only what requireLive() lets
    /// through.
    void change(const std::vector<LiveChange>& changes, std::size_t lane = 0);
    /// Pauses the present run when this condition holds, once; an empty condition withdraws it.
    void pauseWhen(const PauseCondition& condition);
    const PauseCondition& pauseCondition() const { return pause_when_; }
    /// The present run keeps a checkpoint behind its next batch.
    void keepState();
    /// The reason that kept a run from starting may be gone.
    void forgetRefusal() { Q_EMIT outdated(Note::Refused); }

public Q_SLOTS:
    // Each of them does nothing in a state where it makes no sense.
    void startOrResume();
    void pauseOrResume();
    /// Start, pause or resume: whichever is the next sensible action.
    void primary();
    void step();
    /// However often it is asked for, what was learned is kept.
    void stop();
    /// Ends the programs that learn and that a stop waits for; what was learned since the newest checkpoint is lost.
    void stopNow();
    /// The button: a second press, once a program is waited for, ends it.
    void stopOrStopNow();

Q_SIGNALS:
    /// A run, or two lanes, are on their way; before their first event.
    void starting();
    /// State, detail or what can be done changed.
    void stateChanged();
    /// An option was changed in what running() says.
    void runningChanged();
    /// expected() changed.
    void expectedChanged();
    void pauseConditionChanged();
    /// Reason why nothing happened, or why a run stopped, where the user might wonder.
    void noted(const QString& message, const QString& hint, palimpsest::RunController::Note what);
    /// The note of this topic, if there was one, does not hold any longer.
    void outdated(palimpsest::RunController::Note what);
    /// A run could not start or failed.
    void failed(const QString& message, const QString& hint);
    /// What failed() said of the draft does not hold any longer.
    void remedied();
    /// Emitted after failed() where that was for want of leave to start this program.
    void learnerRefused(const palimpsest::LearnerCommand& command);

private:
    void startPlanned();
    // Each throws Error.
    void begin(const FreshLaunch& launch);
    void begin(const LanesLaunch& launch);
    void begin(const ForkLaunch& launch);
    void begin(const ResumeLaunch& launch);
    void begin(const ReplayLaunch& launch);
    /// Slot of a run that has no other beside it.
    RunService::Slot alone();
    /// Emits why nothing else can start.
    void noteBusy();
    void resume();
    void onEnded(std::size_t lane, const RunEnded& event);
    void onCondition(std::size_t lane, const QString& why);
    void onWaiting(std::size_t lane, const QString& why);
    void forgetCondition();
    void onChange(const ChangeMade& event);
    void clearPending();
    /// The lane whose state is shown for all busy ones; null: none is busy.
    RunLane* leadingLane() const;
    void updateState();

    ExperimentDraft draft_;
    std::array<std::unique_ptr<RunLane>, kLanes> lanes_;
    const ResumeFunction resume_;
    const ForkFunction fork_;
    const LaunchPlanner* planner_ = nullptr;
    Launch launch_;
    std::int64_t runs_ = 0;
    bool pause_wanted_ = false;
    bool problem_said_ = false;  // failed() spoke of the draft, which has not been mended since
    bool stop_wanted_ = false;
    bool awaits_learner_ = false;
    bool stepping_ = false;
    PauseCondition pause_when_;
    const RunLane* paused_by_ = nullptr;          ///< lane whose condition caused the pause; null: the user did
    std::array<bool, kLanes> waiting_{};          ///< for room on the disk
    std::map<std::string, std::string> pending_;  ///< values by key, sent to the run of the draft and not applied yet
    RunState shown_ = RunState::Idle;
    QString detail_;
    std::optional<LearnerWait> wait_;
};

}  // namespace palimpsest
