// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <memory>
#include <optional>

#include "engine/learner/learner_wait.h"
#include "engine/run/run_service.h"
#include "ui/state/run_bridge.h"

namespace palimpsest {

/// One run at a time: its thread, the bridge that delivers its events, and the state of the engine.
class RunLane : public QObject {
    Q_OBJECT
public:
    /// The table must outlive the lane.
    RunLane(const OptionTable* table, RunFunction function);

    RunBridge* bridge() { return &bridge_; }
    RunService& service() { return service_; }
    /// The experiment that was started last, with what was changed since.
    const Experiment& experiment() const { return experiment_; }
    /// False until work of another kind has begun: of its experiment only the name is known until then.
    bool known() const { return known_; }
    RunState state() const { return state_; }
    bool busy() const { return state_ != RunState::Idle; }
    /// "Reading Fashion-MNIST"; may be empty.
    QString detail() const { return detail_; }
    /// The wait that detail() tells of; absent: it tells something else.
    const std::optional<LearnerWait>& wait() const { return wait_; }
    /// The preparations are over.
    bool begun() const { return begun_; }
    /// Starts a run of the experiment. Throws Error. `instead`: runs it in place of the lane's own function.
    void start(const Experiment& experiment, const RunService::Slot& seat, const RunFunction& instead = {});
    /// Starts work of another kind; its experiment is known once it has begun.
    void start(RunService::Work work, const RunService::Slot& seat, const std::string& name);

Q_SIGNALS:
    void changed();
    /// The run waits until the user removes the reason.
    void waiting(const QString& reason);
    /// The run paused by itself under its condition; before changed().
    void conditionHolds(const QString& why);
    /// An option was changed in the run.
    void experimentChanged();
    /// Emitted after changed(), and after the signal of the bridge.
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
    std::optional<LearnerWait> wait_;
    bool begun_ = false;
    bool known_ = false;
};

}  // namespace palimpsest
