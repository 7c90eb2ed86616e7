// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/run_lane.h"

#include <utility>

#include "ui/state/engine_text.h"
#include "ui/state/learner_wait.h"

namespace palimpsest {

RunLane::RunLane(const OptionTable* table, RunFunction function) : table_(table), service_(std::move(function)) {
    connect(&bridge_, &RunBridge::started, this, [this](const RunStarted& event) {
        experiment_ = event.experiment;
        known_ = true;
    });
    connect(&bridge_, &RunBridge::stateChanged, this, &RunLane::onState);
    connect(&bridge_, &RunBridge::changed, this, &RunLane::onChange);
    connect(&bridge_, &RunBridge::ended, this, &RunLane::onEnded);
}

void RunLane::start(const Experiment& experiment, const RunService::Slot& seat, const RunFunction& instead) {
    experiment_ = experiment;
    known_ = true;
    if (!instead) return prepare(service_.start(experiment_, bridge_, seat));
    prepare(
        service_.start([instead, experiment](std::int64_t run, RunControl& control,
                                             RunObserver& observer) { instead(run, experiment, control, observer); },
                       bridge_, seat));
}

void RunLane::start(RunService::Work work, const RunService::Slot& seat, const std::string& name) {
    experiment_ = table_->defaults();
    experiment_.name = name;
    known_ = false;
    prepare(service_.start(std::move(work), bridge_, seat));
}

void RunLane::prepare(std::int64_t run) {
    detail_.clear();
    wait_.reset();
    begun_ = false;
    bridge_.setCurrentRun(run);
    state_ = RunState::Preparing;
}

void RunLane::onState(const StateChanged& event) {
    // Only the end of a run makes it idle.
    if (event.state != RunState::Idle) state_ = event.state;
    begun_ = begun_ || event.state == RunState::Running || event.state == RunState::Paused;
    wait_ = event.wait;
    detail_ = wait_ ? waitText(*wait_) : QString::fromStdString(event.detail);
    const bool paused = event.state == RunState::Paused;
    if (paused && event.reason == PauseReason::Condition) Q_EMIT conditionHolds(detail_);
    Q_EMIT changed();
    if (paused && event.reason == PauseReason::Unwritable) Q_EMIT waiting(detail_);
}

void RunLane::onChange(const ChangeMade& event) {
    // A value that the run accepted, the table accepts as well.
    if (!failureOf([&] { table_->setText(experiment_, event.key, event.value); })) Q_EMIT experimentChanged();
}

void RunLane::onEnded(const RunEnded& event) {
    state_ = RunState::Idle;
    detail_.clear();
    wait_.reset();
    Q_EMIT changed();
    Q_EMIT ended(event);
}

}  // namespace palimpsest
