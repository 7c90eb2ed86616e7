// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figures/attention_controller.h"

#include "engine/run/attention.h"
#include "ui/figures/attention_dialog.h"
#include "ui/state/curve_options.h"
#include "ui/state/history_store.h"
#include "ui/state/run_bridge.h"
#include "ui/state/run_controller.h"
#include "ui/state/run_set.h"

namespace palimpsest {
namespace {

constexpr int kAttentionTurnMs = 200;

}  // namespace

AttentionController::AttentionController(Look look, RunController* controller, RunSet* store, CurveCursor* cursor,
                                         QWidget* window)
    : QObject(window),
      look_(std::move(look)),
      controller_(controller),
      store_(store),
      cursor_(cursor),
      window_(window),
      throttle_(
          kAttentionTurnMs, [this] { refresh(); }, this) {
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

AttentionController::~AttentionController() {
    stop_.request_stop();
    delete dialog_;
}

void AttentionController::showDialog() {
    if (!dialog_) {
        dialog_ = new AttentionDialog(window_);
        connect(dialog_, &QDialog::finished, this, &AttentionController::giveUp);
        connect(dialog_, &AttentionDialog::imageChanged, &throttle_, &Throttle::ask);
    }
    dialog_->show();
    dialog_->raise();
    dialog_->activateWindow();
    // What could not be read may be there again.
    if (!dialog_->showsAttention()) wanted_.reset();
    refresh();
}

void AttentionController::showImage(std::int64_t image) {
    if (!dialog_) showDialog();
    dialog_->setImage(image);
    showDialog();
}

void AttentionController::giveUp() {
    stop_.request_stop();
    looking_.cancelNewest();
    if (!dialog_->showsAttention()) wanted_.reset();
}

void AttentionController::showNothing(const QString& sentence) {
    giveUp();
    wanted_.reset();
    dialog_->showNothing(sentence);
}

QString AttentionController::hindrance(const ShownRun* run) const {
    if (!look_) return tr("This program cannot look at the weights of a run.");
    if (!run) return tr("There is no run to look at. Press {startRun} to start one.");
    if (run->facts->imported) return tr("These are results of another program, which come without weights.");
    if (!HistoryStore::hasFolder(run->id)) return tr("This run keeps no folder, and so no weights to look at.");
    return {};
}

void AttentionController::refresh() {
    if (!dialog_ || !dialog_->isVisible()) return;
    const ShownRun* run = store_->selected();
    if (const QString why = hindrance(run); !why.isEmpty()) return showNothing(why);
    Wanted wanted;
    wanted.run = run->id;
    wanted.image = dialog_->image();
    wanted.at = cursor_->pinned();
    // A run that is played again is as far as its curves are.
    if (!wanted.at && run->live && !run->learns()) wanted.at = run->points.samplesSeen();
    if (!wanted.at) {
        wanted.learns = run->learns();
        wanted.newest = wanted.learns ? pauses_ : run->points.learned();
    }
    if (wanted_ != wanted) look(*run, wanted);
}

void AttentionController::look(const ShownRun& run, const Wanted& wanted) {
    dialog_->showLooking(wanted_ && wanted_->run == wanted.run);
    wanted_ = wanted;
    stop_.request_stop();
    stop_ = std::stop_source();
    looking_.runNewest(
        [look = look_, folder = wanted.run.toStdString(), image = wanted.image, at = wanted.at,
         stop = stop_.get_token()] { return look(folder, image, at, stop); },
        [this, title = store_->label(run.id), at = wanted.at](const std::shared_ptr<const ImageAttention>& attention) {
            dialog_->showAttention(title, attention, at);
        },
        [this](const Failure& failure) {
            const Failure told = withOptionTitles(failure);
            dialog_->showNothing((told.message + ' ' + told.hint).trimmed());
        });
}

}  // namespace palimpsest
