// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figures/weights_controller.h"

#include "ui/figures/weights_dialog.h"
#include "ui/state/curve_options.h"
#include "ui/state/engine_text.h"
#include "ui/state/history_store.h"
#include "ui/state/run_bridge.h"
#include "ui/state/run_controller.h"
#include "ui/state/run_set.h"

namespace palimpsest {
namespace {

constexpr int kWeightsTurnMs = 200;

}  // namespace

WeightsController::WeightsController(bool can_look, RunController* controller, RunSet* store, CurveCursor* cursor,
                                     QWidget* window)
    : QObject(window),
      can_look_(can_look),
      controller_(controller),
      store_(store),
      cursor_(cursor),
      window_(window),
      throttle_(
          kWeightsTurnMs, [this] { refresh(); }, this) {
    connect(store_, &RunSet::runsChanged, &throttle_, &Throttle::ask);
    connect(store_, &RunSet::changed, &throttle_, &Throttle::ask);
    connect(cursor_, &CurveCursor::moved, &throttle_, &Throttle::ask);
    // Behind the news that it comes with.
    connect(controller_, &RunController::stateChanged, &throttle_, &Throttle::ask, Qt::QueuedConnection);
    // The controller keeps a step to itself, which ends in a pause, too.
    for (std::size_t lane = 0; lane < RunController::kLanes; ++lane)
        connect(controller_->bridge(lane), &RunBridge::stateChanged, this, [this](const StateChanged& event) {
            if (event.state != RunState::Paused) return;
            ++pauses_;
            throttle_.ask();
        });
}

WeightsController::~WeightsController() {
    stop_.request_stop();
    delete shown_;
}

void WeightsController::showDialog() {
    if (!shown_) {
        shown_ = makeDialog();
        connect(shown_, &QDialog::finished, this, &WeightsController::giveUp);
    }
    shown_->show();
    shown_->raise();
    shown_->activateWindow();
    // What could not be read may be there again.
    if (!shown_->showsWeights()) wanted_.reset();
    refresh();
}

void WeightsController::giveUp() {
    stop_.request_stop();
    looking_.cancelNewest();
    if (!shown_->showsWeights()) wanted_.reset();
}

void WeightsController::showNothing(const QString& sentence) {
    giveUp();
    wanted_.reset();
    shown_->showNothing(sentence);
}

void WeightsController::tell(const Failure& failure) {
    const Failure told = withOptionTitles(failure);
    shown_->showNothing(oneText(told));
}

QString WeightsController::hindrance(const ShownRun* run) const {
    if (!can_look_) return tr("This program cannot look at the weights of a run.");
    if (!run) return tr("There is no run to look at. Press {startRun} to start one.");
    if (run->facts->imported) return tr("These are results of another program, which come without weights.");
    if (!HistoryStore::hasFolder(run->id)) return tr("This run keeps no folder, and so no weights to look at.");
    return {};
}

void WeightsController::refresh() {
    if (!shown_ || !shown_->isVisible()) return;
    const ShownRun* run = store_->selected();
    if (const QString why = hindrance(run); !why.isEmpty()) return showNothing(why);
    Wanted wanted;
    wanted.run = run->id;
    wanted.image = image();
    wanted.at = cursor_->pinned();
    // A run that is played again is as far as its curves are.
    if (!wanted.at && run->live && !run->learns()) wanted.at = run->points.samplesSeen();
    if (!wanted.at) {
        wanted.learns = run->learns();
        wanted.newest = wanted.learns ? pauses_ : run->points.learned();
    }
    if (wanted_ != wanted) {
        shown_->showLooking(wanted_ && wanted_->run == wanted.run);
        wanted_ = wanted;
        stop_.request_stop();
        stop_ = std::stop_source();
        look(*run, wanted, stop_.get_token());
    }
    settled(wanted);
}

}  // namespace palimpsest
