// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <memory>

#include "engine/run/run_service.h"
#include "ui/state/run_bridge.h"

namespace palimpsest {

/// One run at a time: the thread it goes on, the bridge that brings its events, and how far the engine is with it.
class RunLane : public QObject {
    Q_OBJECT
public:
    /// The table must outlive the lane.
    RunLane(const OptionTable* table, RunFunction function);

    RunBridge* bridge() { return &bridge_; }
    RunService& service() { return service_; }
    /// The experiment that was started last, with what was changed since.
    const Experiment& experiment() const { return experiment_; }
    /// False until work of another kind has begun: until then of its experiment the name alone is known.
    bool known() const { return known_; }
    RunState state() const { return state_; }
    bool busy() const { return state_ != RunState::Idle; }
    /// "Reading Fashion-MNIST"; may be empty.
    QString detail() const { return detail_; }
    /// Past the preparations.
    bool begun() const { return begun_; }
    /// Throws Error. `instead`: learns it in place of the lane's own function.
    void start(const Experiment& experiment, const RunService::Slot& seat, const RunFunction& instead = {});
    /// Likewise with work of another kind; its experiment is known once it has begun.
    void start(RunService::Work work, const RunService::Slot& seat, const std::string& name);

Q_SIGNALS:
    void changed();
    /// The run stands still until somebody mends what is said.
    void waiting(const QString& reason);
    /// The run paused by itself under its condition; before changed().
    void conditionHolds(const QString& why);
    /// An option was changed in the run.
    void experimentChanged();
    /// After changed(), and after the signal of the bridge.
    void ended(const palimpsest::RunEnded& event);

private:
    void prepare(std::int64_t run);
    void onState(const StateChanged& event);
    void onChange(const ChangeMade& event);
    void onEnded(const RunEnded& event);

    const OptionTable* table_;
    RunBridge bridge_;  // outlives the service, whose thread writes into it
    RunService service_;
    Experiment experiment_;
    RunState state_ = RunState::Idle;
    QString detail_;
    bool begun_ = false;
    bool known_ = false;
};

}  // namespace palimpsest
