// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run_controller.h"

#include "engine/support/error.h"

namespace palimpsest {

RunController::RunController(const OptionTable* table, RunFunction function, QObject* parent)
    : QObject(parent), draft_(table), service_(std::move(function)) {
    connect(&bridge_, &RunBridge::stateChanged, this, &RunController::onState);
    connect(&bridge_, &RunBridge::ended, this, &RunController::onEnded);
}

RunController::~RunController() = default;

void RunController::startOrResume() {
    if (canStart())
        start();
    else if (canResume())
        resume();
    else if (canStop())
        Q_EMIT noted(tr("“%1” is not finished.").arg(QString::fromStdString(running_.name)),
                     tr("Space pauses it. Shift+F5 stops it and keeps what it learned; then F5 starts “%1”.")
                         .arg(QString::fromStdString(draft_.experiment().name)));
}

void RunController::pauseOrResume() {
    // The wish counts, not what the engine has reached: a second press takes back a pause that has not come about yet.
    if (busy() && !stop_wanted_ && pause_wanted_) {
        resume();
    } else if (canPause()) {
        pause_wanted_ = true;
        stepping_ = false;
        service_.pause();
        show();
    }
}

void RunController::primary() {
    if (canStart())
        start();
    else
        pauseOrResume();
}

void RunController::step() {
    if (!canStep()) return;
    stepping_ = true;
    service_.step();
}

void RunController::stop() {
    if (!canStop()) return;
    stop_wanted_ = true;
    service_.stop();
    show();
}

void RunController::start() {
    if (const auto obstacle = obstacle_ ? obstacle_() : std::nullopt) {
        Q_EMIT noted(obstacle->message, obstacle->hint);
        return;
    }
    if (!draft_.problems().isEmpty()) {
        Q_EMIT failed(tr("The experiment cannot start: %1").arg(draft_.problems().front()),
                      tr("Change that setting and press F5 again."));
        return;
    }
    running_ = draft_.experiment();
    engine_detail_.clear();
    begun_ = pause_wanted_ = stop_wanted_ = stepping_ = false;
    try {
        bridge_.setCurrentRun(service_.start(running_, bridge_));
        engine_ = RunState::Preparing;
    } catch (const Error& error) {
        Q_EMIT failed(error.what(), QString::fromStdString(error.hint()));
    }
    show();
}

void RunController::resume() {
    pause_wanted_ = stepping_ = false;
    service_.resume();
    show();
}

void RunController::onState(const StateChanged& event) {
    // Only the end of a run makes it idle.
    if (event.state != RunState::Idle) engine_ = event.state;
    begun_ = begun_ || event.state == RunState::Running || event.state == RunState::Paused;
    engine_detail_ = QString::fromStdString(event.detail);
    show();
}

void RunController::onEnded(const RunEnded& event) {
    engine_ = RunState::Idle;
    engine_detail_.clear();
    pause_wanted_ = stop_wanted_ = stepping_ = false;
    show();
    if (event.how == RunEnd::Failed)
        Q_EMIT failed(QString::fromStdString(event.error), QString::fromStdString(event.hint));
}

void RunController::show() {
    RunState state = engine_;
    QString detail = engine_detail_;
    if (engine_ != RunState::Idle && stop_wanted_) {
        state = RunState::Stopping;
        detail = begun_ ? tr("Stopping after this batch") : tr("Stopping");
    } else if (engine_ == RunState::Paused && !pause_wanted_) {
        state = RunState::Running;
    } else if (engine_ == RunState::Running && pause_wanted_ && stepping_) {
        state = RunState::Paused;
    } else if (engine_ == RunState::Running && pause_wanted_) {
        detail = tr("Pausing after this batch");
    } else if (engine_ == RunState::Preparing && pause_wanted_) {
        detail = tr("%1, then pausing").arg(detail.isEmpty() ? tr("Preparing") : detail);
    }
    if (state == shown_ && detail == detail_) return;
    shown_ = state;
    detail_ = detail;
    Q_EMIT stateChanged();
}

}  // namespace palimpsest
