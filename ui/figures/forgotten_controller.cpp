// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figures/forgotten_controller.h"

#include <utility>

#include "engine/run/dataset_service.h"
#include "ui/figures/forgotten_images_dialog.h"
#include "ui/state/curve_options.h"
#include "ui/state/engine_text.h"
#include "ui/state/history_store.h"
#include "ui/state/key_names.h"
#include "ui/state/run_set.h"

namespace palimpsest {
namespace {

constexpr int kForgottenTurnMs = 200;

}  // namespace

ForgottenController::ForgottenController(std::shared_ptr<const DatasetService> service, RunSet* store,
                                         CurveCursor* cursor, QWidget* window)
    : QObject(window),
      service_(std::move(service)),
      store_(store),
      cursor_(cursor),
      window_(window),
      throttle_(
          kForgottenTurnMs, [this] { refresh(); }, this) {
    connect(store_, &RunSet::runsChanged, &throttle_, &Throttle::ask);
    connect(store_, &RunSet::changed, &throttle_, &Throttle::ask);
    connect(cursor_, &CurveCursor::moved, &throttle_, &Throttle::ask);
}

ForgottenController::~ForgottenController() {
    delete dialog_;
}

void ForgottenController::showDialog() {
    if (!dialog_) {
        dialog_ = new ForgottenImagesDialog(service_, window_);
        connect(dialog_, &ForgottenImagesDialog::topClassesAsked, this, &ForgottenController::readTopClasses);
        connect(dialog_, &ForgottenImagesDialog::attentionAsked, this, &ForgottenController::attentionAsked);
    }
    dialog_->show();
    dialog_->raise();
    dialog_->activateWindow();
    dialog_->retryPictures();
    // A folder that could not be read may be there again.
    if (!failure_.isEmpty()) run_.clear();
    refresh();
}

void ForgottenController::pin(qint64 image) {
    to_pin_ = image;
    wanted_.reset();
    showDialog();
}

void ForgottenController::readTopClasses(const std::shared_ptr<const ImageLives>& lives,
                                         const std::vector<std::int64_t>& images) {
    asking_.runNewest(
        [run = run_.toStdString(), lives, images] { return readTopClassesOf(run, lives->moments, images); },
        [this, lives, images](const ImageTopClasses& top) { dialog_->setTopClasses(lives, images, top); });
}

void ForgottenController::forgetPictures() {
    if (dialog_) dialog_->forgetPictures();
}

void ForgottenController::showNothing(const QString& sentence) {
    finding_.cancelNewest();
    wanted_.reset();
    dialog_->showNothing(sentence);
}

void ForgottenController::refresh() {
    if (!dialog_ || !dialog_->isVisible()) return;
    const ShownRun* run = store_->selected();
    if (!run)
        return showNothing(
            KeyNames::instance().filled(tr("Nothing is forgotten until a run learns: press {startRun} to start.")));
    if (!HistoryStore::hasFolder(run->id))
        return showNothing(tr("This run keeps no folder, so what it took its images for is not recorded."));
    const std::size_t measured = run->points.anytime().size() + run->points.sessionEnds().size();
    if (run->id != run_ || measured != measured_) read(run->id, measured);
    if (!failure_.isEmpty()) return showNothing(failure_);
    if (lives_) return find(*run);
    showNothing(measured == 0 && run->inProgress() ? tr("The first images can be forgotten after the first evaluation.")
                                                   : tr("Reading the run folder …"));
}

void ForgottenController::find(const ShownRun& run) {
    ForgottenShown shown;
    shown.title = run.label;
    shown.experiment = run.facts->experiment;
    shown.classes = run.facts->class_names;
    shown.lives = lives_;
    // A run that is played again is as far as its curves are.
    shown.moment = lives_->momentUpTo(cursor_->moment().value_or(run.points.samplesSeen()));
    const Wanted wanted{lives_, shown.moment, shown.title};
    if (wanted_ == wanted) return;
    wanted_ = wanted;
    finding_.runNewest(
        [shown = std::move(shown)]() mutable {
            shown.images = forgottenImages(*shown.lives, shown.moment);
            return std::move(shown);
        },
        [this](const ForgottenShown& found) {
            dialog_->showImages(found);
            if (to_pin_) dialog_->pin(*std::exchange(to_pin_, std::nullopt), true);
        });
}

void ForgottenController::read(const QString& run, std::size_t measured) {
    // What was read of this run stays while the rest is read, unless the run begins anew.
    if (run != run_ || measured < measured_) lives_.reset();
    run_ = run;
    measured_ = measured;
    failure_.clear();
    reading_.cancelNewest();
    if (measured == 0) return;
    reading_.runNewest(
        [run, before = lives_] {
            return std::make_shared<const ImageLives>(
                readImageLives(run.toStdString(), before ? *before : ImageLives()));
        },
        [this](const std::shared_ptr<const ImageLives>& lives) {
            lives_ = lives;
            refresh();
        },
        [this](const Failure& failure) {
            failure_ = oneText(failure);
            refresh();
        });
}

}  // namespace palimpsest
