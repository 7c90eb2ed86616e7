// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figures/mask_lens_controller.h"

#include <memory>

#include "engine/run/mask_lens.h"
#include "ui/figures/mask_lens_dialog.h"
#include "ui/state/curve_options.h"
#include "ui/state/run_controller.h"
#include "ui/state/run_set.h"

namespace palimpsest {

MaskLensController::MaskLensController(Look look, RunController* controller, RunSet* store, CurveCursor* cursor,
                                       QWidget* window)
    : WeightsController(static_cast<bool>(look), controller, store, cursor, window), look_(std::move(look)) {}

WeightsDialog* MaskLensController::makeDialog() {
    dialog_ = new MaskLensDialog(window());
    connect(dialog_, &MaskLensDialog::learnAsked, controller(), &RunController::step);
    return dialog_;
}

QString MaskLensController::hindrance(const ShownRun* run) const {
    if (look_ && !run)
        return tr("There is no run to look at. Press {startRun} to start one, and {pauseRun} to pause it.");
    if (const QString why = WeightsController::hindrance(run); !why.isEmpty()) return why;
    if (cursor()->pinned() || !run->live || !controller()->busy() || controller()->canResume()) return {};
    return run->learns() ? tr("The run is learning. Press {pauseRun} to pause it, and its next batch is shown here "
                              "through every mask; or click a moment in the figures.")
                         : tr("The run is being played. Press {pauseRun} to pause it, or click a moment in the "
                              "figures.");
}

void MaskLensController::look(const ShownRun& run, const Wanted& wanted, const std::stop_token& stop) {
    begin([look = look_, folder = wanted.run.toStdString(), at = wanted.at, stop] { return look(folder, at, stop); },
          [this, title = store()->label(run.id), classes = run.facts->class_names](
              const std::shared_ptr<const MaskLens>& lens) { dialog_->showLens(title, classes, *lens); });
}

void MaskLensController::settled(const Wanted& wanted) {
    dialog_->setCanLearn(wanted.learns && controller()->canStep());
}

}  // namespace palimpsest
