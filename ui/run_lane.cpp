// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run_lane.h"

#include <utility>

namespace palimpsest {

RunLane::RunLane(RunFunction function, QObject* parent) : QObject(parent), service_(std::move(function)) {
    connect(&bridge_, &RunBridge::started, this, [this](const RunStarted& event) { experiment_ = event.experiment; });
    connect(&bridge_, &RunBridge::stateChanged, this, &RunLane::onState);
    connect(&bridge_, &RunBridge::ended, this, &RunLane::onEnded);
}

void RunLane::start(const Experiment& experiment, const RunService::Seat& seat) {
    experiment_ = experiment;
    prepare(service_.start(experiment_, bridge_, seat));
}

void RunLane::start(RunService::Work work, const RunService::Seat& seat) {
    experiment_ = {};
    prepare(service_.start(std::move(work), bridge_, seat));
}

void RunLane::prepare(std::int64_t run) {
    detail_.clear();
    begun_ = false;
    bridge_.setCurrentRun(run);
    state_ = RunState::Preparing;
}

void RunLane::onState(const StateChanged& event) {
    // Only the end of a run makes it idle.
    if (event.state != RunState::Idle) state_ = event.state;
    begun_ = begun_ || event.state == RunState::Running || event.state == RunState::Paused;
    detail_ = QString::fromStdString(event.detail);
    Q_EMIT changed();
    // The engine gives a pause a reason only when a person did not ask for it.
    if (event.state == RunState::Paused && !event.detail.empty()) Q_EMIT waiting(detail_);
}

void RunLane::onEnded(const RunEnded& event) {
    state_ = RunState::Idle;
    detail_.clear();
    Q_EMIT changed();
    Q_EMIT ended(event);
}

}  // namespace palimpsest
