// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/run_controller.h"

#include <algorithm>
#include <utility>

#include "ui/state/engine_text.h"
#include "ui/state/key_names.h"

namespace palimpsest {
namespace {

bool startsDraft(const Launch& launch) {
    if (const auto* fresh = std::get_if<FreshLaunch>(&launch)) return !fresh->instead;
    return !std::holds_alternative<ResumeLaunch>(launch) && !std::holds_alternative<ReplayLaunch>(launch);
}

/// A run that was asked to stop waits for its learner.
bool awaitsLearner(const RunLane& lane) {
    return lane.state() == RunState::Stopping && lane.wait();
}

}  // namespace

RunController::RunController(const OptionTable* table, const RunFunction& run, ResumeFunction resume, ForkFunction fork)
    : draft_(table), resume_(std::move(resume)), fork_(std::move(fork)) {
    for (std::size_t i = 0; i < kLanes; ++i) {
        lanes_[i] = std::make_unique<RunLane>(table, run);
        const RunLane* lane = lanes_[i].get();
        connect(lane, &RunLane::changed, this, &RunController::updateState);
        connect(lane, &RunLane::waiting, this, [this, i](const QString& why) { onWaiting(i, why); });
        connect(lane, &RunLane::changed, this, [this, i] {
            if (std::exchange(waiting_[i], false) && !waiting_[1 - i]) Q_EMIT outdated(Note::Waiting);
        });
        connect(lane, &RunLane::conditionHolds, this, [this, i](const QString& why) { onCondition(i, why); });
        connect(lane, &RunLane::ended, this, [this, i](const RunEnded& event) { onEnded(i, event); });
    }
    connect(&draft_, &ExperimentDraft::problemsChanged, this, [this] {
        if (draft_.problems().isEmpty() && std::exchange(problem_said_, false)) Q_EMIT remedied();
    });
    connect(lanes_[0].get(), &RunLane::experimentChanged, this, &RunController::runningChanged);
    connect(lanes_[0]->bridge(), &RunBridge::changed, this, &RunController::onChange);
}

RunController::~RunController() {
    // Both are aborted before either is waited for, so that neither waits for a turn of the other.
    for (const auto& lane : lanes_) lane->service().abort();
}

RunLane* RunController::leadingLane() const {
    // The state that the user waits for comes first.
    for (const RunState state : {RunState::Preparing, RunState::Running, RunState::Stopping, RunState::Paused})
        for (const auto& lane : lanes_)
            if (lane->state() == state) return lane.get();
    return nullptr;
}

std::optional<LearnerWait> RunController::stopWaitsFor() const {
    if (canStopNow())
        for (const auto& lane : lanes_)
            if (awaitsLearner(*lane)) return lane->wait();
    return std::nullopt;
}

void RunController::startOrResume() {
    if (canStart())
        startPlanned();
    else if (canResume())
        resume();
    else if (replaying() && canStop())
        Q_EMIT noted(tr("A recorded run is being played back."),
                     KeyNames::instance()
                         .filled(tr("{stopRun} ends the replay; then {startRun} starts “%1”."))
                         .arg(QString::fromStdString(draft_.experiment().name)),
                     Note::Refused);
    else if (canStop())
        Q_EMIT noted(tr("“%1” is not finished.").arg(QString::fromStdString(running()->name)),
                     KeyNames::instance()
                         .filled(tr("{pauseRun} pauses it. {stopRun} stops it and keeps what it learned; then "
                                    "{startRun} starts “%1”."))
                         .arg(QString::fromStdString(draft_.experiment().name)),
                     Note::Refused);
}

void RunController::pauseOrResume() {
    // The request counts, not the state of the engine: a second press withdraws a pause that is not reached yet.
    if (busy() && !stop_wanted_ && pause_wanted_) {
        resume();
    } else if (canPause()) {
        pause_wanted_ = true;
        stepping_ = false;
        if (RunLane* lane = leadingLane()) lane->service().pause();
        updateState();
    }
}

void RunController::primary() {
    if (canStart())
        startPlanned();
    else
        pauseOrResume();
}

// Pause, resume and step are common to lanes in step: one of them passes it on.
void RunController::step() {
    if (!canStep()) return;
    stepping_ = true;
    paused_by_ = nullptr;
    Q_EMIT outdated(Note::Paused);
    if (RunLane* lane = leadingLane()) lane->service().step();
}

void RunController::stop() {
    if (!canStop()) return;
    stop_wanted_ = true;
    Q_EMIT outdated(Note::Paused);
    clearPending();
    for (const auto& lane : lanes_) lane->service().stop();
    updateState();
}

void RunController::stopNow() {
    if (!canStopNow()) return;
    for (const auto& lane : lanes_)
        if (awaitsLearner(*lane)) lane->service().stopNow();
}

void RunController::stopOrStopNow() {
    if (canStopNow())
        stopNow();
    else
        stop();
}

void RunController::startPlanned() {
    start(planner_ ? planner_->planned() : FreshLaunch());
}

void RunController::start(Launch launch) {
    if (std::holds_alternative<ResumeLaunch>(launch) && !resume_) return;
    if (!canStart()) return noteBusy();
    if (const auto obstacle = planner_ ? planner_->obstacle(launch) : std::nullopt) {
        Q_EMIT noted(obstacle->message, obstacle->hint, Note::Refused);
        return;
    }
    if (const auto untaken = startsDraft(launch) ? draft_.notTaken(tr("Not started")) : std::nullopt) {
        Q_EMIT noted(untaken->message, untaken->hint, Note::Refused);
        return;
    }
    if (startsDraft(launch) && !draft_.problems().isEmpty()) {
        problem_said_ = true;
        Q_EMIT failed(tr("The experiment cannot start: %1").arg(draft_.problems().front()),
                      KeyNames::instance().filled(tr("Change that setting and press {startRun} again.")));
        return;
    }
    pause_wanted_ = stop_wanted_ = stepping_ = problem_said_ = false;
    launch_ = std::move(launch);
    forgetRefusal();
    Q_EMIT starting();
    const auto failure = failureOf([this] { std::visit([this](const auto& which) { begin(which); }, launch_); });
    if (failure) Q_EMIT failed(failure->message, failure->hint);
    updateState();
}

RunService::Slot RunController::alone() {
    return {++runs_, std::make_shared<RunControl>(std::make_shared<LockstepRuns>(1), 0)};
}

void RunController::begin(const FreshLaunch& launch) {
    lanes_[0]->start(launch.instead ? *launch.instead : draft_.experiment(), alone());
}

void RunController::begin(const LanesLaunch& launch) {
    const auto both = std::make_shared<LockstepRuns>(kLanes);
    const auto seat = [&](std::size_t lane) {
        return RunService::Slot{++runs_, std::make_shared<RunControl>(both, lane)};
    };
    lanes_[0]->start(draft_.experiment(), seat(0));
    try {
        lanes_[1]->start(launch.beside, seat(1));
    } catch (...) {
        // One lane alone would compare nothing.
        lanes_[0]->service().abort();
        throw;
    }
}

void RunController::begin(const ForkLaunch& launch) {
    lanes_[0]->start(draft_.experiment(), alone(),
                     [fork = fork_, launch](std::int64_t run, const Experiment& experiment, RunControl& control,
                                            RunObserver& observer) {
                         fork(run, launch.parent, launch.at, experiment, control, observer);
                     });
}

void RunController::begin(const ResumeLaunch& launch) {
    lanes_[0]->start(
        [resume = resume_, folder = launch.folder](std::int64_t run, RunControl& control, RunObserver& observer) {
            resume(run, folder, control, observer);
        },
        {++runs_, nullptr}, launch.folder.filename().string());
}

void RunController::begin(const ReplayLaunch& launch) {
    lanes_[0]->start(launch.player, {++runs_, nullptr}, {});
}

void RunController::noteBusy() {
    if (replaying())
        Q_EMIT noted(tr("A recorded run is being played back."), tr("End the replay first."), Note::Refused);
    else
        Q_EMIT noted(tr("Another run is going on."), tr("Stop it first, or wait until it ends."), Note::Refused);
}

void RunController::resume() {
    pause_wanted_ = stepping_ = false;
    paused_by_ = nullptr;
    Q_EMIT outdated(Note::Paused);
    if (RunLane* lane = leadingLane()) lane->service().resume();
    updateState();
}

void RunController::onEnded(std::size_t lane, const RunEnded& event) {
    if (lane == 0) clearPending();
    if (!leadingLane()) {
        pause_wanted_ = stop_wanted_ = stepping_ = false;
        paused_by_ = nullptr;
        forgetCondition();
        for (const Note what : {Note::Refused, Note::Paused}) Q_EMIT outdated(what);
    }
    updateState();
    if (event.how != RunEnd::Failed) return;
    QString message = withOptionTitles(event.error), hint = withOptionTitles(event.hint);
    if (event.resumable)
        hint = tr("%1 The run is kept: “Resume this run” in its menu in the list of runs goes on from its newest "
                  "checkpoint.")
                   .arg(hint)
                   .trimmed();
    if (paired()) {
        const std::size_t other = 1 - lane;
        message = tr("%1: %2").arg(laneName(lane), message);
        if (lanes_[other]->busy()) hint = tr("%1 %2 goes on.").arg(hint, laneName(other)).trimmed();
    }
    Q_EMIT failed(message, hint);
    if (event.refused) Q_EMIT learnerRefused(*event.refused);
}

void RunController::change(const std::vector<LiveChange>& changes, std::size_t lane) {
    if (!canStop() || !lanes_[lane]->busy()) return;
    for (const LiveChange& change : changes) {
        lanes_[lane]->service().change(change);
        if (lane == 0) pending_[change.key] = change.value;
    }
    if (lane == 0 && !changes.empty()) Q_EMIT expectedChanged();
}

Experiment RunController::expected() const {
    Experiment experiment = lanes_[0]->experiment();
    for (const auto& [key, value] : pending_) draft_.table().setText(experiment, key, value);
    return experiment;
}

void RunController::onChange(const ChangeMade& event) {
    // An older change of the same option arrives before the last one.
    const auto found = pending_.find(event.key);
    if (found == pending_.end() || found->second != event.value) return;
    pending_.erase(found);
    Q_EMIT expectedChanged();
}

void RunController::clearPending() {
    if (pending_.empty()) return;
    pending_.clear();
    Q_EMIT expectedChanged();
}

void RunController::pauseWhen(const PauseCondition& condition) {
    if (!canStop()) return;
    pause_when_ = condition;
    // Lanes end their sessions together, so the condition of one busy lane pauses both.
    bool assigned = false;
    for (const auto& lane : lanes_) {
        if (!lane->busy()) continue;
        PauseCondition its = condition;
        its.session_end = condition.session_end && !std::exchange(assigned, true);
        lane->service().pauseWhen(its);
    }
    Q_EMIT pauseConditionChanged();
}

void RunController::keepState() {
    for (const auto& lane : lanes_)
        if (lane->busy()) lane->service().keepState();
}

void RunController::onCondition(std::size_t lane, const QString& why) {
    // The run has withdrawn its own condition.
    for (const auto& each : lanes_) each->service().pauseWhen({});
    forgetCondition();
    if (stop_wanted_) return;
    pause_wanted_ = true;
    stepping_ = false;
    paused_by_ = lanes_[lane].get();
    Q_EMIT noted(paired() ? tr("%1: %2").arg(laneName(lane), why) : why,
                 KeyNames::instance().filled(tr("The run is paused. {startRun} goes on.")), Note::Paused);
}

void RunController::onWaiting(std::size_t lane, const QString& why) {
    waiting_[lane] = true;
    Q_EMIT noted(why, tr("Make room on the disk. Nothing that was learned is lost."), Note::Waiting);
}

void RunController::forgetCondition() {
    if (!pause_when_.any()) return;
    pause_when_ = {};
    Q_EMIT pauseConditionChanged();
}

void RunController::updateState() {
    // The run was resumed before the event of its pause arrived.
    if (paused_by_ && paused_by_->state() == RunState::Running) {
        pause_wanted_ = false;
        paused_by_ = nullptr;
        Q_EMIT outdated(Note::Paused);
    }
    const RunLane* lane = leadingLane();
    const RunState engine = lane ? lane->state() : RunState::Idle;
    RunState state = engine;
    QString detail = lane ? lane->detail() : QString();
    if (engine != RunState::Idle && stop_wanted_) {
        state = RunState::Stopping;
        // What the batch waits for, if it does.
        const QString wait = engine == RunState::Stopping ? detail : QString();
        detail = lane->begun() && !replayed() ? tr("Stopping after this batch") : tr("Stopping");
        if (!wait.isEmpty()) detail += ": " + wait;
    } else if (engine == RunState::Paused && !pause_wanted_) {
        state = RunState::Running;
    } else if (engine == RunState::Running && pause_wanted_ && stepping_) {
        state = RunState::Paused;
    } else if (engine == RunState::Running && pause_wanted_) {
        // "Evaluating", and any other work that is not a batch, continues to its end.
        detail = detail.isEmpty() ? tr("Pausing after this batch") : tr("%1, then pausing").arg(detail);
    } else if (engine == RunState::Preparing && pause_wanted_) {
        detail = tr("%1, then pausing").arg(detail.isEmpty() ? tr("Preparing") : detail);
    }
    const bool awaits = std::ranges::any_of(lanes_, [](const auto& each) { return awaitsLearner(*each); });
    if (state == shown_ && detail == detail_ && awaits == awaits_learner_) return;
    awaits_learner_ = awaits;
    shown_ = state;
    detail_ = detail;
    wait_ = lane && detail == lane->detail() ? lane->wait() : std::nullopt;
    Q_EMIT stateChanged();
}

}  // namespace palimpsest
