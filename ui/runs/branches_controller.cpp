// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/branches_controller.h"

#include <QAction>

#include "ui/runs/branches_dialog.h"
#include "ui/runs/run_actions.h"
#include "ui/runs/run_table_model.h"
#include "ui/runs/runs_panel.h"

namespace palimpsest {

BranchesController::BranchesController(RunLibrary* library, RunsPanel* runs, QAction* action, QWidget* window)
    : QObject(window), library_(library), runs_(runs), window_(window) {
    connect(action, &QAction::triggered, this, [this] { showDialog(runs_->currentRun()); });
    connect(runs_->actions(), &RunActions::branchesRequested, this, &BranchesController::showDialog);
}

BranchesController::~BranchesController() {
    delete dialog_;
}

void BranchesController::showDialog(const QString& run) {
    if (!dialog_) {
        dialog_ = new BranchesDialog(library_, window_);
        connect(dialog_, &BranchesDialog::shown, runs_->model(), &RunTableModel::showForNow);
        connect(dialog_, &BranchesDialog::chosen, runs_->model(), &RunTableModel::selectRun);
    }
    if (!run.isEmpty()) dialog_->choose(run);
    dialog_->show();
    dialog_->raise();
    dialog_->activateWindow();
}

}  // namespace palimpsest
