// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <functional>
#include <memory>
#include <optional>

#include "engine/run/run_service.h"
#include "ui/experiment_draft.h"
#include "ui/failure.h"
#include "ui/run_bridge.h"

namespace palimpsest {

/// What a person can do with runs, and when. Owns the draft, the run service and the bridge that brings its news.
class RunController : public QObject {
    Q_OBJECT
public:
    RunController(const OptionTable* table, RunFunction function, QObject* parent = nullptr);
    /// Aborts a run that is still going on and waits for its end; quit politely with stop() and ended() before.
    ~RunController() override;

    ExperimentDraft* draft() { return &draft_; }
    RunBridge* bridge() { return &bridge_; }

    /// As a person sees it: a single step does not flicker between paused and running.
    RunState state() const { return shown_; }
    /// "Reading Fashion-MNIST, then pausing", "Evaluating", "Pausing after this batch"; may be empty.
    QString detail() const { return detail_; }
    bool busy() const { return shown_ != RunState::Idle; }
    bool canStart() const { return shown_ == RunState::Idle; }
    bool canPause() const { return shown_ == RunState::Running || shown_ == RunState::Preparing; }
    bool canResume() const { return shown_ == RunState::Paused; }
    bool canStep() const { return shown_ == RunState::Paused; }
    bool canStop() const { return busy() && shown_ != RunState::Stopping; }
    /// Asked before a run starts: why it must not now, told by noted(); nothing: it may.
    void setObstacle(std::function<std::optional<Failure>()> obstacle) { obstacle_ = std::move(obstacle); }
    /// What the current run was started with; null when none is going on.
    const Experiment* running() const { return busy() ? &running_ : nullptr; }

public Q_SLOTS:
    // Each does nothing in a state where it makes no sense.
    void startOrResume();
    void pauseOrResume();
    /// Start, pause or resume: whichever is the next sensible action.
    void primary();
    void step();
    void stop();

Q_SIGNALS:
    /// State, detail or what can be done changed.
    void stateChanged();
    /// Why nothing happened, where a person might wonder.
    void noted(const QString& message, const QString& hint);
    /// A run could not start or failed.
    void failed(const QString& message, const QString& hint);

private:
    void start();
    void resume();
    void onState(const StateChanged& event);
    void onEnded(const RunEnded& event);
    void show();

    ExperimentDraft draft_;
    RunBridge bridge_;      // outlives the service, whose thread writes into it
    RunService service_;
    std::function<std::optional<Failure>()> obstacle_;
    Experiment running_;
    RunState engine_ = RunState::Idle;
    QString engine_detail_;
    bool begun_ = false;    // past the preparations
    bool pause_wanted_ = false;
    bool stop_wanted_ = false;
    bool stepping_ = false;
    RunState shown_ = RunState::Idle;
    QString detail_;
};

}  // namespace palimpsest
