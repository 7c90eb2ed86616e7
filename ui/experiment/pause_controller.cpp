// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/experiment/pause_controller.h"

#include <QAction>

#include "ui/commands/action_book.h"
#include "ui/experiment/pause_dialog.h"
#include "ui/state/run_controller.h"
#include "ui/widgets/message_bar.h"

namespace palimpsest {
namespace {

const QString kPauseTopic = QStringLiteral("kept checkpoint");

}  // namespace

PauseController::PauseController(RunController* controller, const ActionBook& book, MessageBar* messages,
                                 QWidget* window)
    : controller_(controller),
      messages_(messages),
      window_(window),
      at_end_(book.action(Command::PauseAtSessionEnd)),
      forgotten_(book.action(Command::PauseWhenForgotten)),
      keep_(book.action(Command::KeepCheckpoint)) {
    connect(at_end_, &QAction::triggered, this, &PauseController::pauseAtSessionEnd);
    connect(forgotten_, &QAction::triggered, this, &PauseController::askForSession);
    connect(keep_, &QAction::triggered, this, &PauseController::keepCheckpoint);
    connect(controller_, &RunController::stateChanged, this, &PauseController::refresh);
    connect(controller_, &RunController::pauseConditionChanged, this, &PauseController::refresh);
    refresh();
}

void PauseController::refresh() {
    const bool learns = controller_->canStop() && controller_->running();
    at_end_->setEnabled(learns);
    at_end_->setChecked(controller_->pauseCondition().session_end);
    forgotten_->setEnabled(learns);
    forgotten_->setChecked(controller_->pauseCondition().session.has_value());
    keep_->setEnabled(learns && controller_->lane(0).begun());
    if (!controller_->busy()) messages_->withdraw(kPauseTopic);
}

void PauseController::pauseAtSessionEnd(bool on) {
    PauseCondition condition = controller_->pauseCondition();
    condition.session_end = on;
    controller_->pauseWhen(condition);
    refresh();
}

void PauseController::askForSession() {
    refresh();  // ticked by the condition alone, not by the question
    const Experiment* running = controller_->running();
    if (!running) return;
    auto* dialog = new PauseDialog(running->stream.sessions, controller_->pauseCondition(), window_);
    connect(dialog, &PauseDialog::chosen, this, [this](std::int64_t session, double below) {
        PauseCondition condition = controller_->pauseCondition();
        condition.session = session;
        condition.below = below;
        controller_->pauseWhen(condition);
    });
    connect(dialog, &PauseDialog::withdrawn, this, [this] {
        PauseCondition condition = controller_->pauseCondition();
        condition.session.reset();
        controller_->pauseWhen(condition);
    });
    dialog->open();
}

void PauseController::keepCheckpoint() {
    const Experiment* running = controller_->running();
    if (!running) return;
    if (running->evaluation.checkpoints == 0) {
        messages_->showLatest(MessageBar::Kind::Note, kPauseTopic, tr("This run keeps no checkpoints."),
                              tr("The setting Room for checkpoints gives the next run some."));
        return;
    }
    controller_->keepState();
    if (controller_->state() == RunState::Paused)
        messages_->showPassing(kPauseTopic, tr("This moment is kept"),
                               tr("A pause keeps a checkpoint when it begins."));
    else
        messages_->showPassing(kPauseTopic, tr("A checkpoint is kept after this batch"),
                               tr("The run can be resumed from there, or forked."));
}

}  // namespace palimpsest
