// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figures/mask_lens_controller.h"

#include "engine/run/mask_lens.h"
#include "ui/figures/mask_lens_dialog.h"
#include "ui/state/curve_options.h"
#include "ui/state/history_store.h"
#include "ui/state/run_bridge.h"
#include "ui/state/run_controller.h"
#include "ui/state/run_set.h"

namespace palimpsest {
namespace {

constexpr int kLensTurnMs = 200;

}  // namespace

MaskLensController::MaskLensController(Look look, RunController* controller, RunSet* store, CurveCursor* cursor,
                                       QWidget* window)
    : QObject(window),
      look_(std::move(look)),
      controller_(controller),
      store_(store),
      cursor_(cursor),
      window_(window),
      throttle_(
          kLensTurnMs, [this] { refresh(); }, this) {
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

MaskLensController::~MaskLensController() {
    stop_.request_stop();
    delete dialog_;
}

void MaskLensController::showDialog() {
    if (!dialog_) {
        dialog_ = new MaskLensDialog(window_);
        connect(dialog_, &QDialog::finished, this, &MaskLensController::giveUp);
        connect(dialog_, &MaskLensDialog::learnAsked, controller_, &RunController::step);
    }
    dialog_->show();
    dialog_->raise();
    dialog_->activateWindow();
    // What could not be read may be there again.
    if (!dialog_->showsLens()) wanted_.reset();
    refresh();
}

void MaskLensController::giveUp() {
    stop_.request_stop();
    looking_.cancelNewest();
    if (!dialog_->showsLens()) wanted_.reset();
}

void MaskLensController::showNothing(const QString& sentence) {
    giveUp();
    wanted_.reset();
    dialog_->showNothing(sentence);
}

QString MaskLensController::hindrance(const ShownRun* run) const {
    if (!look_) return tr("This program cannot look at the weights of a run.");
    if (!run) return tr("There is no run to look at. Press {startRun} to start one, and {pauseRun} to pause it.");
    if (run->facts->imported) return tr("These are results of another program, which come without weights.");
    if (!HistoryStore::hasFolder(run->id)) return tr("This run keeps no folder, and so no weights to look at.");
    if (cursor_->pinned()) return {};
    if (run->live && controller_->busy() && !controller_->canResume())
        return run->learns() ? tr("The run is learning. Press {pauseRun} to pause it, and its next batch is shown here "
                                  "through every mask; or click a moment in the figures.")
                             : tr("The run is being played. Press {pauseRun} to pause it, or click a moment in the "
                                  "figures.");
    return {};
}

void MaskLensController::refresh() {
    if (!dialog_ || !dialog_->isVisible()) return;
    const ShownRun* run = store_->selected();
    if (const QString why = hindrance(run); !why.isEmpty()) return showNothing(why);
    Wanted wanted;
    wanted.run = run->id;
    wanted.at = cursor_->pinned();
    // A run that is played again is as far as its curves are.
    if (!wanted.at && run->live && !run->learns()) wanted.at = run->points.samplesSeen();
    if (!wanted.at) {
        wanted.learns = run->learns();
        wanted.newest = wanted.learns ? pauses_ : run->points.learned();
    }
    if (wanted_ != wanted) look(*run, wanted);
    dialog_->setCanLearn(wanted.learns && controller_->canStep());
}

void MaskLensController::look(const ShownRun& run, const Wanted& wanted) {
    dialog_->showLooking(wanted_ && wanted_->run == wanted.run);
    wanted_ = wanted;
    stop_.request_stop();
    stop_ = std::stop_source();
    looking_.runNewest([look = look_, folder = wanted.run.toStdString(), at = wanted.at,
                        stop = stop_.get_token()] { return look(folder, at, stop); },
                       [this, title = store_->label(run.id), classes = run.facts->class_names](
                           const std::shared_ptr<const MaskLens>& lens) { dialog_->showLens(title, classes, *lens); },
                       [this](const Failure& failure) {
                           const Failure told = withOptionTitles(failure);
                           dialog_->showNothing((told.message + ' ' + told.hint).trimmed());
                       });
}

}  // namespace palimpsest
