// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/experiment/pause_dialog.h"

#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "ui/style/spacing.h"
#include "ui/style/text_style.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/labels.h"
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
    // As in the experiment: the keys Up and Down count, and the style sheet draws no arrows.
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

}  // namespace palimpsest
