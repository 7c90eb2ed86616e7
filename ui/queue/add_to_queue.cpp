// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/queue/add_to_queue.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include "engine/support/error.h"
#include "engine/sweep/queue_file.h"
#include "ui/state/engine_text.h"
#include "ui/style/text_style.h"
#include "ui/style/theme.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/labels.h"

namespace palimpsest {

std::int64_t largestSeed(const OptionTable& table) {
    const Option* seed = table.find("seed");
    return seed ? static_cast<std::int64_t>(seed->maximum) : 0;
}

AddToQueueDialog::AddToQueueDialog(const OptionTable* table, QWidget* parent)
    : QDialog(parent),
      most_(largestSeed(*table)),
      name_(makeTextLabel(text_size::kText, QFont::DemiBold, false)),
      note_(makeTextLabel(text_size::kCaption, QFont::Normal, true)),
      field_(new QLineEdit),
      add_(makeButton("queueAdd", tr("Add to queue"), tr("Each seed becomes a run of its own"))) {
    setObjectName("addToQueueDialog");
    setWindowTitle(tr("Add to queue"));
    name_->setObjectName("queueAddName");
    note_->setObjectName("queueAddNote");
    keepLines(note_, 2);
    field_->setObjectName("queueSeeds");
    field_->setAccessibleName(tr("Seeds"));
    field_->setToolTip(tr("One seed or several: 3, 1-5 or 1-3, 7"));
    field_->setPlaceholderText(tr("1-5"));
    auto* label = makeLabel(tr("&Seeds"), text_size::kText, QFont::Normal, false);
    label->setBuddy(field_);
    auto* cancel = makeButton("queueAddCancel", tr("Cancel"), tr("Queue nothing"));
    auto* row = new QHBoxLayout;
    row->addWidget(label);
    row->addWidget(field_, 1);
    auto* buttons = new QHBoxLayout;
    buttons->addStretch(1);
    buttons->addWidget(cancel);
    buttons->addWidget(add_);
    auto* column = new QVBoxLayout(this);
    column->setSpacing(spacing::kRow);
    column->addWidget(name_);
    column->addLayout(row);
    column->addWidget(note_);
    column->addStretch(1);
    column->addLayout(buttons);
    add_->setProperty("primary", true);
    fitToText(this, [this] { setMinimumWidth(scaled(360)); });
    connect(field_, &QLineEdit::textChanged, this, &AddToQueueDialog::refresh);
    connect(field_, &QLineEdit::returnPressed, this, &AddToQueueDialog::accept);
    connect(add_, &QPushButton::clicked, this, &AddToQueueDialog::accept);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    refresh();
}

void AddToQueueDialog::ask(const Experiment& experiment) {
    experiment_ = experiment;
    name_->setText(QString::fromStdString(experiment.name));
    // Seeds that were typed for one experiment, and perhaps cancelled, say nothing of the next.
    if (!isVisible()) field_->setText(QString::number(experiment.seed));
    refresh();
    field_->selectAll();
    field_->setFocus();
    show();
    growToContent(this);
    raise();
    activateWindow();
}

void AddToQueueDialog::refresh() {
    seeds_.clear();
    const auto failure = failureOf([this] { seeds_ = parsedSeeds(field_->text().toStdString(), most_); });
    if (field_->text().trimmed().isEmpty())
        note_->setText(tr("Type one seed or several, such as 1-5."));
    else if (failure)
        note_->setText(oneText(*failure));
    else
        note_->setText(seeds_.size() == 1 ? tr("One run.") : tr("%1 runs, one for each seed.").arg(seeds_.size()));
    markWrong(note_, failure && !field_->text().trimmed().isEmpty());
    add_->setEnabled(!seeds_.empty());
    growToContent(this);
}

void AddToQueueDialog::accept() {
    if (seeds_.empty()) return;
    Q_EMIT chosen(experiment_, seeds_);
    QDialog::accept();
}

}  // namespace palimpsest
