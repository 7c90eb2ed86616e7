// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ui/state/experiment_draft.h"
#include "ui/state/failure.h"
#include "ui/state/run_lane.h"

namespace palimpsest {

/// What a person can do with runs, and when. Owns the draft, and a lane for each of the two runs that can go on beside
/// each other: the draft's own, and that of another experiment, which is started with it and goes on in step with it.
class RunController : public QObject {
    Q_OBJECT
public:
    static constexpr std::size_t kLanes = 2;
    /// What is noted, and so how long it holds: why nothing started, why what goes on paused by itself as it was told
    /// to, why it stands still until somebody makes room.
    enum class Note { Refused, Paused, Waiting };
    Q_ENUM(Note)

    RunController(const OptionTable* table, RunFunction function, QObject* parent = nullptr);
    /// Aborts a run that is still going on and waits for its end; quit politely with stop() and ended() before.
    ~RunController() override;

    ExperimentDraft* draft() { return &draft_; }
    RunBridge* bridge(std::size_t lane = 0) { return lanes_[lane]->bridge(); }
    const RunLane& lane(std::size_t lane) const { return *lanes_[lane]; }
    static QString laneName(std::size_t lane) { return lane == 0 ? tr("Lane A") : tr("Lane B"); }

    /// As a person sees it, of all lanes: a single step does not flicker between paused and running.
    RunState state() const { return shown_; }
    /// "Reading Fashion-MNIST, then pausing", "Evaluating, then pausing", "Pausing after this batch"; may be empty.
    QString detail() const { return detail_; }
    bool busy() const { return shown_ != RunState::Idle; }
    /// A pause was asked for that has not come about yet.
    bool pauses() const { return shown_ == RunState::Running && pause_wanted_ && !stop_wanted_; }
    bool canStart() const { return shown_ == RunState::Idle; }
    bool canPause() const { return shown_ == RunState::Running || shown_ == RunState::Preparing; }
    bool canResume() const { return shown_ == RunState::Paused; }
    bool canStep() const { return shown_ == RunState::Paused; }
    bool canStop() const { return busy() && shown_ != RunState::Stopping; }
    /// Asked before a run starts: why it must not now, told by noted(); nothing: it may.
    void setObstacle(std::function<std::optional<Failure>()> obstacle) { obstacle_ = std::move(obstacle); }
    /// Asked when the draft starts: what is started beside it; nothing: the draft alone. `obstacle`: as above.
    void setBeside(std::function<std::optional<Experiment>()> beside,
                   std::function<std::optional<Failure>()> obstacle) {
        beside_ = std::move(beside);
        beside_obstacle_ = std::move(obstacle);
    }
    /// Asked when the draft starts: what learns it in place of the usual function, as a fork does; null: nothing.
    /// `obstacle`: as above.
    void setInstead(std::function<RunFunction()> instead, std::function<std::optional<Failure>()> obstacle) {
        instead_ = std::move(instead);
        instead_obstacle_ = std::move(obstacle);
    }
    /// Laboratory::resume; null: no run can be gone on with.
    using GoOn = std::function<void(std::int64_t, const std::filesystem::path&, RunControl&, RunObserver&)>;
    void setGoOn(GoOn goOn) { go_on_ = std::move(goOn); }
    bool canGoOn() const { return go_on_ && canStart(); }
    /// Goes on with the run of a folder that ended early, alone.
    void goOn(const QString& folder);
    /// Plays a recorded run back, in the place of one that learns: the same verbs steer it.
    void replay(RunService::Work player);
    /// What goes on, or went on last, is a replay.
    bool replayed() const { return replayed_; }
    bool replaying() const { return replayed_ && busy(); }
    /// What goes on, or went on last, are two lanes.
    bool paired() const { return paired_; }
    /// What the current run of the draft was started with, and what was changed in it since; null when nothing is going
    /// on.
    const Experiment* running() const { return busy() && !replayed_ ? &lanes_[0]->experiment() : nullptr; }

    /// What running() will be once it has taken what was handed over.
    Experiment coming() const;
    /// Something of that is still on its way.
    bool handsOver() const { return !handed_.empty(); }
    /// The run of the draft, or of another lane, takes these over at its next batch. Only what requireLive() lets
    /// through.
    void change(const std::vector<LiveChange>& changes, std::size_t lane = 0);
    /// What goes on pauses by itself where this holds, once; an empty one takes it back.
    void pauseWhen(const PauseCondition& condition);
    const PauseCondition& pauseCondition() const { return pause_when_; }
    /// What goes on keeps a checkpoint behind its next batch.
    void keepState();
    /// What kept a run from starting may be gone.
    void forgetRefusal() { Q_EMIT outdated(Note::Refused); }

public Q_SLOTS:
    // Each does nothing in a state where it makes no sense.
    void startOrResume();
    void pauseOrResume();
    /// Start, pause or resume: whichever is the next sensible action.
    void primary();
    void step();
    void stop();

Q_SIGNALS:
    /// A run, or two lanes, are on their way; before their first news.
    void starting();
    /// State, detail or what can be done changed.
    void stateChanged();
    /// An option was changed in what running() says.
    void runningChanged();
    /// Something was handed over, or the run took it.
    void comingChanged();
    void pauseConditionChanged();
    /// Why nothing happened, or why it does no longer, where a person might wonder.
    void noted(const QString& message, const QString& hint, palimpsest::RunController::Note what);
    /// What was noted of this kind, if anything, does not hold any longer.
    void outdated(palimpsest::RunController::Note what);
    /// A run could not start or failed.
    void failed(const QString& message, const QString& hint);

private:
    void start();
    void begin(const std::optional<Experiment>& beside);
    /// In the first lane.
    void beginAlone(RunService::Work work, bool replay, const QString& name);
    /// Why nothing else can start.
    void noteBusy();
    void resume();
    void onEnded(std::size_t lane, const RunEnded& event);
    void onCondition(std::size_t lane, const QString& why);
    void onWaiting(std::size_t lane, const QString& why);
    void forgetCondition();
    void onChange(const ChangeMade& event);
    void forgetHanded();
    /// The lane that stands for all that go on; null when none does.
    RunLane* telling() const;
    void show();

    ExperimentDraft draft_;
    std::array<RunLane*, kLanes> lanes_;
    std::function<std::optional<Failure>()> obstacle_, instead_obstacle_, beside_obstacle_;
    std::function<std::optional<Experiment>()> beside_;
    std::function<RunFunction()> instead_;
    GoOn go_on_;
    std::int64_t runs_ = 0;
    bool paired_ = false;
    bool replayed_ = false;
    bool pause_wanted_ = false;
    bool stop_wanted_ = false;
    bool stepping_ = false;
    PauseCondition pause_when_;
    const RunLane* paused_by_ = nullptr;         ///< whose condition brought the pause; null: a person did
    std::array<bool, kLanes> waiting_{};         ///< for room
    std::map<std::string, std::string> handed_;  ///< values by key, on their way into the run of the draft
    RunState shown_ = RunState::Idle;
    QString detail_;
};

}  // namespace palimpsest
