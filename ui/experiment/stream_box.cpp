// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/experiment/stream_box.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QRandomGenerator>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/experiment/option_editor.h"
#include "ui/state/engine_text.h"
#include "ui/state/experiment_draft.h"
#include "ui/state/stream_planner.h"
#include "ui/stream/stream_drag.h"
#include "ui/stream/stream_edit_list.h"
#include "ui/stream/stream_legend.h"
#include "ui/stream/stream_preview.h"
#include "ui/stream/stream_table.h"
#include "ui/style/text_style.h"
#include "ui/style/theme.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/term_label.h"

namespace palimpsest {
namespace {

/// Seeds that one can read out to another.
constexpr int kDiceSides = 10000;

}  // namespace

StreamBox::StreamBox(ExperimentDraft* draft, QWidget* parent)
    : QWidget(parent),
      draft_(draft),
      seed_(new OptionEditor(draft, "seed", OptionEditor::Layout::Seed)),
      preview_(new StreamPreview),
      legend_(new StreamLegend),
      edits_(new StreamEditList(draft)),
      balance_(new TermLabel(Term::EffectiveClasses)),
      attention_(new StreamAttention),
      remedy_(makeRemedy()),
      fit_(makeFit()) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 4, 0, 0);
    column->setSpacing(4);
    column->addLayout(makeHeader());
    column->addWidget(preview_);
    column->addWidget(legend_);
    column->addWidget(edits_);
    connect(new StreamDrag(preview_), &StreamDrag::moveRequested, edits_, &StreamEditList::move);
    column->addWidget(makeBalance());
    column->addWidget(attention_);
    column->addWidget(remedy_, 0, Qt::AlignLeft);
    column->addWidget(fit_, 0, Qt::AlignLeft);
}

QLayout* StreamBox::makeHeader() {
    auto* title = makeLabel(tr("THE STREAM"), text_size::kCaption, QFont::DemiBold, true);
    auto* dice = new QToolButton;
    dice->setObjectName("seedDice");
    withIcon(dice, "dice", &Theme::quiet);
    dice->setToolTip(tr("Another stream: throw the dice for a seed"));
    dice->setAccessibleName(tr("Throw the dice for a seed"));
    dice->setFocusPolicy(Qt::TabFocus);
    connect(dice, &QToolButton::clicked, this, &StreamBox::throwDice);
    auto* header = new QHBoxLayout;
    header->setSpacing(2);
    header->addWidget(title, 1);
    header->addWidget(seed_);
    header->addWidget(dice);
    return header;
}

QWidget* StreamBox::makeBalance() {
    auto* line = new QWidget;
    auto* row = new QHBoxLayout(line);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(4);
    styleLabel(balance_, text_size::kCaption, QFont::Normal, true);
    balance_->setObjectName("streamBalance");
    balance_->setAccessibleName(tr("How even the stream is"));
    balance_->setToolTip(balanceHelp());
    // Gives way before the column would have to grow.
    balance_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    row->addWidget(balance_, 1);
    auto* compare = new QToolButton;
    compare->setObjectName("compareStreamsButton");
    compare->setText(tr("Compare"));
    withIcon(compare, "compare", &Theme::quiet);
    compare->setAccessibleName(tr("Compare streams"));
    compare->setToolTip(tr("The stream in numbers, and beside that of a preset or a run"));
    compare->setProperty("link", true);
    compare->setFocusPolicy(Qt::TabFocus);
    fitToText(compare, [compare] { compare->setFont(textFont(compare->font(), text_size::kCaption)); });
    connect(compare, &QToolButton::clicked, this, &StreamBox::compareRequested);
    row->addWidget(compare);
    return line;
}

QPushButton* StreamBox::makeRemedy() {
    QPushButton* remedy = withIcon(new QPushButton, "import");
    remedy->setObjectName("datasetRemedy");
    remedy->setAccessibleName(tr("Get the data set"));
    remedy->setToolTip(tr("Show where the data set comes from, and fetch it"));
    remedy->setFocusPolicy(Qt::TabFocus);
    remedy->hide();
    connect(remedy, &QPushButton::clicked, this, &StreamBox::remedyRequested);
    return remedy;
}

QPushButton* StreamBox::makeFit() {
    auto* fit = new QPushButton(tr("Fit the stream to its images"));
    fit->setObjectName("fitStream");
    fit->setAccessibleName(fit->text());
    fit->setToolTip(
        tr("Sessions, disjoint classes, seed, images and evaluations that these classes and images can fill"));
    fit->setFocusPolicy(Qt::TabFocus);
    fit->hide();
    connect(fit, &QPushButton::clicked, this, &StreamBox::fit);
    return fit;
}

void StreamBox::fit() {
    const std::shared_ptr<const PlannedStream> stream = preview_->stream();
    Experiment experiment = draft_->experiment();
    if (stream && fitToImages(experiment, *stream)) draft_->replace(experiment, tr("fitting of the stream"));
}

void StreamBox::setStream(const std::shared_ptr<const PlannedStream>& stream) {
    preview_->setStream(stream);
    edits_->setStream(stream);
    legend_->setFingerprint(stream->fingerprint);
    balance_->setText(balanceText(stream->statistics));
    balance_->setAccessibleDescription(balance_->text());
    balance_->setFocusPolicy(Qt::TabFocus);
    QStringList warnings;
    for (const QString& warning : stream->warnings) warnings.append(withOptionTitles(warning));
    attention_->setLines(warnings);
    remedy_->hide();
    fit_->setVisible(stream->fitted.has_value());
}

void StreamBox::refuse(const QString& message, const QString& hint) {
    preview_->setStream(nullptr);
    edits_->setStream(nullptr);
    preview_->setEmptyText(tr("No stream with these settings"));
    legend_->setFingerprint({});
    balance_->clear();
    balance_->setAccessibleDescription({});
    balance_->setFocusPolicy(Qt::NoFocus);
    refusal_ = message;
    attention_->setLines({hint.isEmpty() ? message : message + " " + hint});
    remedy_->hide();
    fit_->hide();
}

void StreamBox::offerRemedy(const QString& text) {
    if (preview_->stream()) return;
    // The button says what to do; the hint in full stays in the tooltip.
    const QString full = attention_->toolTip();
    attention_->setLines({refusal_});
    attention_->setToolTip(full);
    remedy_->setText(text);
    remedy_->setAccessibleName(text);
    remedy_->show();
}

void StreamBox::throwDice() {
    draft_->set("seed", std::int64_t{QRandomGenerator::global()->bounded(1, kDiceSides)});
}

}  // namespace palimpsest
