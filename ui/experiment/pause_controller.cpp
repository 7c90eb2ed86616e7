// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/experiment/pause_controller.h"

#include <QAction>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "ui/commands/action_book.h"
#include "ui/state/run_controller.h"
#include "ui/style/text_style.h"
#include "ui/style/theme.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/number_field.h"

namespace palimpsest {
namespace {

using spacing::kGap;
constexpr double kUsual = 0.5;
constexpr int kWidth = 420;

/// An option with which a field of the form is made.
Option numberOption(const QString& title, OptionType type, double minimum, double maximum) {
    Option option;
    option.title = title.toStdString();
    option.type = type;
    option.minimum = minimum;
    option.maximum = maximum;
    return option;
}

const QString kPauseTopic = QStringLiteral("kept checkpoint");

}  // namespace

PauseDialog::PauseDialog(std::int64_t sessions, const PauseCondition& now, QWidget* parent)
    : QDialog(parent),
      session_(new IntegerField(
          numberOption(tr("Session"), OptionType::Integer, 1, static_cast<double>(std::max<std::int64_t>(1, sessions))),
          this)),
      below_(new RealField(numberOption(tr("Accuracy below"), OptionType::Real, 0.1, 100), this)),
      note_(makeLabel({}, text_size::kText, QFont::Normal, false)) {
    setObjectName(QStringLiteral("pauseDialog"));
    setWindowTitle(tr("Pause when a session is forgotten"));
    setAttribute(Qt::WA_DeleteOnClose);
    auto* words = makeLabel(tr("The run pauses, once, as soon as an evaluation finds the images of this session known "
                               "worse than this."),
                            text_size::kText, QFont::Normal, true);
    words->setWordWrap(true);
    session_->setObjectName(QStringLiteral("pauseSession"));
    session_->setAccessibleName(tr("Session"));
    session_->setToolTip(tr("Counted from 1"));
    session_->setValue(static_cast<int>(now.session.value_or(0)) + 1);
    below_->setObjectName(QStringLiteral("pauseBelow"));
    below_->setAccessibleName(tr("Accuracy below"));
    below_->setToolTip(tr("Of the test images of the classes that came first in this session"));
    below_->setSuffix(tr(" %"));
    below_->setValue(100 * (now.session ? now.below : kUsual));
    listenTo(session_, session_->entry());
    listenTo(below_, below_->entry());
    note_->setObjectName(QStringLiteral("pauseNote"));
    note_->setWordWrap(true);
    note_->hide();

    QPushButton* set = makeButton(QStringLiteral("pauseSet"), tr("Pause then"), tr("The run goes on until then"));
    set->setDefault(true);
    QPushButton* back =
        makeButton(QStringLiteral("pauseTakeBack"), tr("Do not pause"), tr("Take back what the run was told"));
    back->setEnabled(now.session.has_value());
    QPushButton* leave = makeButton(QStringLiteral("pauseCancel"), tr("Cancel"), tr("Leave it as it is"));
    connect(set, &QPushButton::clicked, this, &PauseDialog::choose);
    connect(back, &QPushButton::clicked, this, [this] {
        Q_EMIT withdrawn();
        accept();
    });
    connect(leave, &QPushButton::clicked, this, &QDialog::reject);

    auto* form = new QFormLayout;
    form->addRow(tr("Session"), session_);
    form->addRow(tr("Accuracy below"), below_);
    auto* row = new QHBoxLayout;
    row->addWidget(back);
    row->addStretch(1);
    row->addWidget(leave);
    row->addWidget(set);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(kGap, kGap, kGap, kGap);
    column->setSpacing(kGap);
    column->addWidget(words);
    column->addLayout(form);
    column->addWidget(note_);
    column->addLayout(row);
    fitToText(this, [this] { setMinimumWidth(scaled(kWidth)); });
}

void PauseDialog::listenTo(QAbstractSpinBox* box, NumberEntry& entry) {
    // As in the experiment's form, the keys Up and Down count, and the style sheet draws no arrows.
    box->setButtonSymbols(QAbstractSpinBox::NoButtons);
    box->setKeyboardTracking(false);
    guardWheel(box);
    entry.setRefusalHandler([this](const QString& why) {
        refused_ = !why.isEmpty();
        note_->setText(why);
        note_->setVisible(refused_);
    });
}

void PauseDialog::choose() {
    for (QAbstractSpinBox* box : {static_cast<QAbstractSpinBox*>(session_), static_cast<QAbstractSpinBox*>(below_)})
        box->interpretText();
    // Instead of what was refused the former number stands there, and is to be seen before it counts.
    if (std::exchange(refused_, false)) return;
    Q_EMIT chosen(session_->value() - 1, below_->value() / 100);
    accept();
}

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
