// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figures/mask_lens_dialog.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QScreen>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>

#include "ui/figures/mask_lens_model.h"
#include "ui/state/key_names.h"
#include "ui/style/text_style.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/labels.h"

namespace palimpsest {
namespace {

constexpr QSize kLensSize{940, 600}, kLeastLensSize{800, 420};
constexpr int kLensRow = 24, kLensHeader = 54, kLensColumn = 136, kBigNumber = 22;

}  // namespace

MaskLensDialog::MaskLensDialog(QWidget* parent)
    : WeightsDialog(parent),
      model_(new MaskLensModel(this)),
      parts_(new QStackedWidget),
      heading_(makeTextLabel(text_size::kText, QFont::Normal, true)),
      sentence_(makeTextLabel(text_size::kTitle, QFont::DemiBold, false)),
      nothing_(makeTextLabel(text_size::kTitle, QFont::Normal, true)),
      scale_(makeTextLabel(text_size::kCaption, QFont::Normal, true)),
      accuracy_(makeLabel({}, kBigNumber, QFont::DemiBold, false)),
      inference_(makeTextLabel(text_size::kText, QFont::Normal, true)),
      table_(new QTableView),
      seen_only_(new QCheckBox(tr("Only classes &seen may answer"))),
      answers_(new QWidget),
      learn_(makeButton("maskLensLearn", tr("Learn this batch"),
                        tr("The run learns the batch that is shown, under its own mask, and stands before the next"))) {
    setObjectName("maskLensDialog");
    setWindowTitle(tr("Mask lens"));
    setModal(false);
    const QSize room = screen() ? screen()->availableSize() : kLensSize;
    resize(QSize(scaled(kLensSize.width()), scaled(kLensSize.height())).boundedTo(room));
    setMinimumSize(kLeastLensSize);
    heading_->setObjectName("maskLensHeading");
    sentence_->setObjectName("maskLensSentence");
    nothing_->setObjectName("maskLensNothing");
    nothing_->setAlignment(Qt::AlignCenter);
    scale_->setObjectName("maskLensScale");
    accuracy_->setObjectName("maskLensAccuracy");
    inference_->setObjectName("maskLensInference");

    table_->setObjectName("maskLensTable");
    table_->setAccessibleName(tr("Pushes of the next batch under each mask"));
    table_->setToolTip(
        tr("What the next batch does to the score of each class: to the right it is pulled up, to the "
           "left pushed down, on the same scale under all masks"));
    table_->setModel(model_);
    table_->setItemDelegate(new MaskLensDelegate(model_, this));
    table_->setFrameShape(QFrame::NoFrame);
    table_->setShowGrid(false);
    table_->setMouseTracking(true);
    table_->setTabKeyNavigation(false);
    table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->verticalHeader()->hide();
    QHeaderView* header = table_->horizontalHeader();
    header->setHighlightSections(false);
    header->setSectionsClickable(false);
    fitToText(table_, [this, header] {
        table_->verticalHeader()->setDefaultSectionSize(scaled(kLensRow));
        header->setMinimumHeight(scaled(kLensHeader));
        header->setMinimumSectionSize(scaled(kLensColumn));
        header->setSectionResizeMode(QHeaderView::Stretch);
    });
    parts_->addWidget(nothing_);
    parts_->addWidget(table_);

    seen_only_->setObjectName("maskLensSeenOnly");
    seen_only_->setAccessibleName(tr("Only classes seen may answer"));
    seen_only_->setToolTip(
        tr("Test images are answered by the classes seen so far alone, or by every output of the "
           "network; the weights are the same"));
    seen_only_->setChecked(true);
    QPushButton* close = makeButton("maskLensClose", tr("Close"), tr("Close the lens; the run is as it was"));

    auto* answers = new QHBoxLayout(answers_);
    answers->setContentsMargins(0, 0, 0, 0);
    answers->addWidget(seen_only_);
    answers->addSpacing(spacing::kGap);
    answers->addWidget(accuracy_);
    answers->addSpacing(spacing::kGap);
    answers->addWidget(inference_, 1);
    auto* column = new QVBoxLayout(this);
    column->addWidget(sentence_);
    column->addWidget(heading_);
    column->addWidget(parts_, 1);
    column->addWidget(scale_);
    column->addWidget(answers_);
    auto* buttons = new QHBoxLayout;
    buttons->addStretch(1);
    buttons->addWidget(learn_);
    buttons->addWidget(close);
    column->addLayout(buttons);

    connect(close, &QPushButton::clicked, this, &QDialog::reject);
    connect(learn_, &QPushButton::clicked, this, &MaskLensDialog::learnAsked);
    connect(seen_only_, &QCheckBox::toggled, this, &MaskLensDialog::tellInference);
    showNothing({});
}

bool MaskLensDialog::showsWeights() const {
    return parts_->currentWidget() == table_;
}

void MaskLensDialog::setCanLearn(bool can) {
    learn_->setVisible(can);
}

void MaskLensDialog::showNothing(const QString& sentence) {
    setWindowTitle(tr("Mask lens"));
    model_->clear();
    scale_of_.clear();
    scale_->hide();
    nothing_->setText(KeyNames::instance().filled(sentence));
    heading_->clear();
    sentence_->clear();
    sentence_->hide();
    heading_->hide();
    answers_->hide();
    setCanLearn(false);
    parts_->setCurrentWidget(nothing_);
}

void MaskLensDialog::showLooking(bool keep) {
    if (!keep || !showsWeights()) return showNothing(tr("Looking at the next batch …"));
    heading_->setText(tr("Looking at the next batch …"));
}

void MaskLensDialog::showLens(const QString& title, const ClassNames& classes, const MaskLens& lens) {
    setWindowTitle(tr("Mask lens: %1").arg(title));
    model_->setLens(classes, lens, scale_of_ == title);
    scale_of_ = title;
    scale_->setText(model_->scaleText());
    scale_->show();
    QStringList words{tr("After %1 images").arg(countText(lens.samples_seen)),
                      tr("next batch, in session %1").arg(countText(lens.session + 1))};
    if (lens.images > 0) words.append(tr("%1 images of the stream").arg(countText(lens.images)));
    if (lens.replayed > 0) words.append(tr("%1 past images").arg(countText(lens.replayed)));
    if (!lens.used) words.append(tr("the run’s method hides classes in a way of its own"));
    heading_->setText(words.join(QStringLiteral(" · ")));
    const QString sentence = QString::fromStdString(lensSentence(lens));
    sentence_->setText(sentence);
    table_->setAccessibleDescription(sentence);
    sentence_->show();
    heading_->show();
    answers_->setVisible(lens.inference.has_value());
    tellInference();
    parts_->setCurrentWidget(table_);
}

void MaskLensDialog::tellInference() {
    const MaskLens& lens = model_->lens();
    if (!lens.inference || lens.inference->images == 0) {
        accuracy_->clear();
        inference_->clear();
        return;
    }
    const std::int64_t right = seen_only_->isChecked() ? lens.inference->right_among_seen : lens.inference->right;
    accuracy_->setText(
        tr("%1 %").arg(percentText(static_cast<double>(right) / static_cast<double>(lens.inference->images))));
    // A number stays with its sign where the line breaks.
    inference_->setText(QString::fromStdString(inferenceSentence(lens)).replace(" %", QStringLiteral("\u00a0%")));
}

}  // namespace palimpsest
