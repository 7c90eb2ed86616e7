// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run_controller.h"

#include <utility>

#include "ui/key_names.h"

namespace palimpsest {

RunController::RunController(const OptionTable* table, RunFunction function, QObject* parent)
    : QObject(parent), draft_(table) {
    for (std::size_t i = 0; i < kLanes; ++i) {
        lanes_[i] = new RunLane(function, this);
        connect(lanes_[i], &RunLane::changed, this, &RunController::show);
        connect(lanes_[i], &RunLane::waiting, this, [this](const QString& reason) {
            Q_EMIT noted(reason, tr("Make room on the disk. Nothing that was learned is lost."));
        });
        connect(lanes_[i], &RunLane::ended, this, [this, i](const RunEnded& event) { onEnded(i, event); });
    }
}

RunController::~RunController() {
    // At once, so that neither waits for a turn of the other.
    for (RunLane* lane : lanes_) lane->service().abort();
    for (RunLane* lane : lanes_) delete lane;
}

RunLane* RunController::telling() const {
    // What a person waits for goes first.
    for (const RunState state : {RunState::Preparing, RunState::Running, RunState::Stopping, RunState::Paused})
        for (RunLane* lane : lanes_)
            if (lane->state() == state) return lane;
    return nullptr;
}

void RunController::startOrResume() {
    if (canStart())
        start();
    else if (canResume())
        resume();
    else if (canStop())
        Q_EMIT noted(tr("“%1” is not finished.").arg(QString::fromStdString(running()->name)),
                     KeyNames::instance()
                         .filled(tr("{pauseRun} pauses it. {stopRun} stops it and keeps what it learned; then "
                                    "{startRun} starts “%1”."))
                         .arg(QString::fromStdString(draft_.experiment().name)));
}

void RunController::pauseOrResume() {
    // The wish counts, not what the engine has reached: a second press takes back a pause that has not come about yet.
    if (busy() && !stop_wanted_ && pause_wanted_) {
        resume();
    } else if (canPause()) {
        pause_wanted_ = true;
        stepping_ = false;
        if (RunLane* lane = telling()) lane->service().pause();
        show();
    }
}

void RunController::primary() {
    if (canStart())
        start();
    else
        pauseOrResume();
}

// Pause, resume and step are common to lanes that go on in step: one of them passes it on.
void RunController::step() {
    if (!canStep()) return;
    stepping_ = true;
    if (RunLane* lane = telling()) lane->service().step();
}

void RunController::stop() {
    if (!canStop()) return;
    stop_wanted_ = true;
    for (RunLane* lane : lanes_) lane->service().stop();
    show();
}

void RunController::start() {
    for (const auto& asked : {obstacle_, beside_obstacle_})
        if (const auto obstacle = asked ? asked() : std::nullopt) {
            Q_EMIT noted(obstacle->message, obstacle->hint);
            return;
        }
    if (!draft_.problems().isEmpty()) {
        Q_EMIT failed(tr("The experiment cannot start: %1").arg(draft_.problems().front()),
                      KeyNames::instance().filled(tr("Change that setting and press {startRun} again.")));
        return;
    }
    pause_wanted_ = stop_wanted_ = stepping_ = false;
    const auto failure = failureOf([this] { begin(beside_ ? beside_() : std::nullopt); });
    if (failure) Q_EMIT failed(failure->message, failure->hint);
    show();
}

void RunController::begin(const std::optional<Experiment>& beside) {
    paired_ = beside.has_value();
    Q_EMIT starting();
    const auto company = std::make_shared<RunCompany>(paired_ ? kLanes : 1);
    const auto seat = [&](std::size_t lane) {
        return RunService::Seat{++runs_, std::make_shared<RunControl>(company, lane)};
    };
    lanes_[0]->start(draft_.experiment(), seat(0));
    if (!paired_) return;
    try {
        lanes_[1]->start(*beside, seat(1));
    } catch (...) {
        // Alone it would compare nothing.
        lanes_[0]->service().abort();
        throw;
    }
}

void RunController::goOn(const QString& folder) {
    if (!canGoOn()) {
        Q_EMIT noted(tr("Another run is going on."), tr("Stop it first, or wait until it ends."));
        return;
    }
    if (const auto obstacle = obstacle_ ? obstacle_() : std::nullopt) {
        Q_EMIT noted(obstacle->message, obstacle->hint);
        return;
    }
    pause_wanted_ = stop_wanted_ = stepping_ = paired_ = false;
    Q_EMIT starting();
    const auto failure = failureOf([&] {
        lanes_[0]->start(
            [go = go_on_, place = std::filesystem::path(folder.toStdString())](
                std::int64_t run, RunControl& control, RunObserver& observer) { go(run, place, control, observer); },
            {++runs_, nullptr});
    });
    if (failure) Q_EMIT failed(failure->message, failure->hint);
    show();
}

void RunController::resume() {
    pause_wanted_ = stepping_ = false;
    if (RunLane* lane = telling()) lane->service().resume();
    show();
}

void RunController::onEnded(std::size_t lane, const RunEnded& event) {
    if (!telling()) pause_wanted_ = stop_wanted_ = stepping_ = false;
    show();
    if (event.how != RunEnd::Failed) return;
    QString message = QString::fromStdString(event.error), hint = QString::fromStdString(event.hint);
    if (paired_) {
        const std::size_t other = 1 - lane;
        message = tr("%1: %2").arg(laneName(lane), message);
        if (lanes_[other]->busy()) hint = tr("%1 %2 goes on.").arg(hint, laneName(other)).trimmed();
    }
    Q_EMIT failed(message, hint);
}

void RunController::show() {
    const RunLane* lane = telling();
    const RunState engine = lane ? lane->state() : RunState::Idle;
    RunState state = engine;
    QString detail = lane ? lane->detail() : QString();
    if (engine != RunState::Idle && stop_wanted_) {
        state = RunState::Stopping;
        detail = lane->begun() ? tr("Stopping after this batch") : tr("Stopping");
    } else if (engine == RunState::Paused && !pause_wanted_) {
        state = RunState::Running;
    } else if (engine == RunState::Running && pause_wanted_ && stepping_) {
        state = RunState::Paused;
    } else if (engine == RunState::Running && pause_wanted_) {
        detail = tr("Pausing after this batch");
    } else if (engine == RunState::Preparing && pause_wanted_) {
        detail = tr("%1, then pausing").arg(detail.isEmpty() ? tr("Preparing") : detail);
    }
    if (state == shown_ && detail == detail_) return;
    shown_ = state;
    detail_ = detail;
    Q_EMIT stateChanged();
}

}  // namespace palimpsest
