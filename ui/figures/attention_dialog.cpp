// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figures/attention_dialog.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <limits>

#include "engine/support/text.h"
#include "ui/figures/attention_maps.h"
#include "ui/state/class_names.h"
#include "ui/state/key_names.h"
#include "ui/style/text_style.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/labels.h"

namespace palimpsest {
namespace {

constexpr QSize kAttentionSize{1080, 560}, kLeastAttentionSize{640, 460};

}  // namespace

AttentionDialog::AttentionDialog(QWidget* parent)
    : WeightsDialog(parent),
      maps_(new AttentionMaps),
      parts_(new QStackedWidget),
      range_(makeLabel({}, text_size::kText, QFont::Normal, true)),
      heading_(makeTextLabel(text_size::kText, QFont::Normal, true)),
      sentence_(makeTextLabel(text_size::kTitle, QFont::DemiBold, false)),
      nothing_(makeTextLabel(text_size::kTitle, QFont::Normal, true)),
      current_(makeTextLabel(text_size::kText, QFont::Normal, false)),
      words_(makeTextLabel(text_size::kCaption, QFont::Normal, true)),
      image_(new QSpinBox) {
    image_->setButtonSymbols(QAbstractSpinBox::NoButtons);
    setObjectName("attentionDialog");
    setModal(false);
    resize(kAttentionSize);
    setMinimumSize(kLeastAttentionSize);
    range_->setObjectName("attentionRange");
    heading_->setObjectName("attentionHeading");
    sentence_->setObjectName("attentionSentence");
    nothing_->setObjectName("attentionNothing");
    nothing_->setAlignment(Qt::AlignCenter);
    current_->setObjectName("attentionCurrent");
    words_->setObjectName("attentionWords");
    words_->setText(
        tr("A block is one of the layers of the network that pay attention; the first stands on the left. The class "
           "token is where the network gathers what it will answer: its attention is how much it takes from each patch "
           "of the image, from itself and from the prompts."));
    parts_->addWidget(nothing_);
    parts_->addWidget(maps_);

    image_->setObjectName("attentionImage");
    image_->setAccessibleName(tr("Test image"));
    image_->setToolTip(tr("Which test image is looked at: its place in the test set, from 0"));
    image_->setRange(0, std::numeric_limits<int>::max());
    image_->setKeyboardTracking(false);
    image_->setMinimumWidth(110);
    auto* caption = makeLabel(tr("Test &image"), text_size::kText, QFont::Normal, false);
    caption->setBuddy(image_);
    QPushButton* close = makeButton("attentionClose", tr("Close"), tr("Close; the run is as it was"));

    auto* row = new QHBoxLayout;
    row->addWidget(caption);
    row->addWidget(image_);
    row->addWidget(range_);
    row->addStretch(1);
    auto* below = new QHBoxLayout;
    below->addWidget(current_, 1);
    below->addWidget(close, 0, Qt::AlignBottom);
    auto* column = new QVBoxLayout(this);
    column->addLayout(row);
    column->addWidget(heading_);
    column->addWidget(sentence_);
    column->addWidget(words_);
    column->addWidget(parts_, 1);
    column->addLayout(below);

    connect(close, &QPushButton::clicked, this, &QDialog::reject);
    connect(image_, &QSpinBox::valueChanged, this, &AttentionDialog::imageChanged);
    connect(maps_, &AttentionMaps::currentChanged, this, &AttentionDialog::describeCurrent);
    showNothing({});
}

bool AttentionDialog::showsWeights() const {
    return parts_->currentWidget() == maps_;
}

std::int64_t AttentionDialog::image() const {
    return image_->value();
}

void AttentionDialog::setImage(std::int64_t image) {
    const auto place = static_cast<int>(std::clamp<std::int64_t>(image, 0, std::numeric_limits<int>::max()));
    // An image of another run's test set, which may be larger.
    if (place > image_->maximum()) image_->setMaximum(std::numeric_limits<int>::max());
    image_->setValue(place);
}

void AttentionDialog::showNothing(const QString& sentence) {
    setWindowTitle(tr("Attention"));
    // The next run may have more test images.
    image_->setMaximum(std::numeric_limits<int>::max());
    describeRange(0);
    nothing_->setText(KeyNames::instance().filled(sentence));
    heading_->clear();
    heading_->hide();
    sentence_->clear();
    sentence_->hide();
    words_->hide();
    current_->clear();
    parts_->setCurrentWidget(nothing_);
    maps_->setAttention(nullptr);
}

void AttentionDialog::describeCurrent() {
    current_->setText(maps_->mapText(maps_->currentRow(), maps_->currentBlock()));
    // The block in the frame is the one that is spoken of.
    if (const auto& attention = maps_->attention())
        sentence_->setText(
            QString::fromStdString(attentionSentence(*attention, static_cast<std::size_t>(maps_->currentBlock()))));
}

void AttentionDialog::describeRange(std::int64_t images) {
    range_->setText(images > 0 ? tr("of the %1 of the test set, counted from 0").arg(countText(images))
                               : tr("its place in the test set, counted from 0"));
}

void AttentionDialog::showLooking(bool keep) {
    if (!keep || !showsWeights()) return showNothing(tr("Looking at the image …"));
    heading_->setText(tr("Looking at the image …"));
}

void AttentionDialog::showAttention(const QString& title, const std::shared_ptr<const ImageAttention>& attention,
                                    std::optional<std::int64_t> asked) {
    setWindowTitle(tr("Attention: %1").arg(title));
    image_->setMaximum(static_cast<int>(
        std::clamp<std::int64_t>(attention->images - 1, attention->image, std::numeric_limits<int>::max())));
    const QString moment = tr("After %1 images").arg(countText(attention->samples_seen));
    describeRange(attention->images);
    QStringList words{
        QString::fromStdString(plainLine(attention->class_names.at(static_cast<std::size_t>(attention->label)))),
        asked && *asked != attention->samples_seen
            ? tr("%1, the nearest checkpoint up to %2").arg(moment, countText(*asked))
            : moment};
    if (!attention->chosen.empty()) {
        QStringList numbers;
        for (const std::int64_t prompt : attention->chosen) numbers.append(QString::number(prompt + 1));
        words.append((numbers.size() == 1 ? tr("prompt %1 of the pool") : tr("prompts %1 of the pool"))
                         .arg(numbers.join(QStringLiteral(", "))));
    }
    if (attention->answers_from_prompts) words.append(tr("the head sees the prompts’ outputs, not the class token"));
    heading_->setText(words.join(QStringLiteral(" · ")));
    heading_->show();
    sentence_->show();
    words_->show();
    parts_->setCurrentWidget(maps_);
    maps_->setAttention(attention);
}

}  // namespace palimpsest
