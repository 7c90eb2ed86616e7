// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/now_panel.h"

#include <QLabel>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "ui/batch_thumbnails.h"
#include "ui/class_kinds.h"
#include "ui/mask_chips.h"
#include "ui/memory_strip.h"
#include "ui/panel.h"
#include "ui/prompt_bars.h"
#include "ui/sparkline.h"
#include "ui/text_style.h"

namespace palimpsest {
namespace {

constexpr int kBetweenParts = 6;
constexpr int kTurnMs = 100;
constexpr double kImagesShare = 0.4;   // of the height, at most
constexpr int kHeightForMemory = 320;  // below that the other parts need the room

QLabel* partTitle(const QString& text) {
    return makeLabel(text, text_size::kText, QFont::DemiBold, false);
}

/// The last batch of a session may be short.
std::int64_t batchCount(const RunStarted& started) {
    const std::int64_t size = std::max<std::int64_t>(1, started.experiment.training.batch_size);
    std::int64_t count = 0;
    if (started.plan)
        for (const auto& session : started.plan->sessions)
            count += (static_cast<std::int64_t>(session.size()) + size - 1) / size;
    return count;
}

}  // namespace

NowPanel::NowPanel(QWidget* parent)
    : QWidget(parent),
      panel_(new Panel(tr("Now"))),
      thumbnails_(new BatchThumbnails),
      chips_title_(partTitle(tr("Classes the mask lets through"))),
      chips_(new MaskChips),
      chips_legend_(makeLabel(MaskChips::openText(), text_size::kCaption, QFont::Normal, true)),
      prompts_title_(partTitle(tr("Prompts selected"))),
      prompts_(new PromptBars),
      memory_(new MemoryStrip),
      loss_(new Sparkline(tr("Loss"))),
      pacer_(
          kTurnMs, [this] { showNews(); }, this) {
    setObjectName(QStringLiteral("nowPanel"));
    setAccessibleName(tr("Now"));
    chips_legend_->setObjectName(QStringLiteral("maskLegend"));
    chips_legend_->setWordWrap(true);
    loss_->setObjectName(QStringLiteral("lossSparkline"));
    loss_->setToolTip(tr("Training loss of the latest updates; strong: their running mean"));
    panel_->setHeading(Panel::Heading::Section);

    QVBoxLayout* column = panel_->body();
    column->setSpacing(6);
    column->addWidget(thumbnails_);
    for (const auto& [title, part] : {std::pair<QWidget*, QWidget*>(chips_title_, chips_),
                                      std::pair<QWidget*, QWidget*>(prompts_title_, prompts_)}) {
        column->addSpacing(kBetweenParts);
        column->addWidget(title);
        column->addWidget(part);
        if (part == chips_) column->addWidget(chips_legend_);
    }
    column->addSpacing(kBetweenParts);
    column->addWidget(memory_);
    column->addWidget(loss_);
    column->addStretch(0);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(panel_);
    clear();
    fitToText(this, [this] { fitMemory(); });
}

void NowPanel::resizeEvent(QResizeEvent* event) {
    thumbnails_->setMostHeight(kImagesShare * height());
    fitMemory();
    QWidget::resizeEvent(event);
}

void NowPanel::fitMemory() {
    memory_->setVisible(has_memory_ && height() >= scaled(kHeightForMemory));
}

void NowPanel::showPrompts(bool shown) {
    prompts_title_->setVisible(shown);
    prompts_->setVisible(shown);
}

void NowPanel::clear() {
    pacer_.forget();
    batch_.reset();
    held_.reset();
    losses_.clear();
    panel_->setCaption({});
    thumbnails_->clear();
    chips_->clear();
    chips_legend_->hide();
    prompts_->clear();
    loss_->clear();
    showPrompts(true);
    has_memory_ = false;
    fitMemory();
    setAccessibleDescription(tr("Nothing is being learned. Press F5 to start."));
}

void NowPanel::setRun(const RunStarted& started) {
    clear();
    words_ = wordsOf(started);
    thumbnails_->setClasses(words_.names, words_.kinds);
    chips_->setClasses(words_.names, words_.kinds);
    memory_->clear(started.experiment.memory.size);
    has_memory_ = started.experiment.memory.size > 0;
    fitMemory();
    batches_ = batchCount(started);
}

void NowPanel::setBatch(const BatchLearned& batch) {
    batch_ = batch;
    pacer_.ask();
}

void NowPanel::setMemory(const MemoryHeld& held) {
    held_ = held;
    pacer_.ask();
}

void NowPanel::addUpdates(const QVector<UpdateDone>& updates) {
    for (const UpdateDone& update : updates) losses_.push_back(update.loss);
    pacer_.ask();
}

void NowPanel::showNews() {
    if (batch_) showBatch(*batch_);
    batch_.reset();
    if (held_)
        memory_->setMemory(words_, balanceOf(*held_, static_cast<std::size_t>(words_.names.size())), held_->capacity);
    held_.reset();
    loss_->append(losses_);
    losses_.clear();
}

void NowPanel::showBatch(const BatchLearned& batch) {
    thumbnails_->setImages(batch.images);
    chips_->setMask(batch.visible_classes, batch.seen_classes, batch.unseen_open);
    chips_legend_->setVisible(chips_->showsOpen());
    showPrompts(!batch.prompt_use.empty());
    prompts_->setUse(batch.prompt_use);
    const QString number = countText(batch.batch);
    panel_->setCaption(batches_ > 0 ? tr("batch %1 of %2").arg(number, countText(batches_))
                                    : tr("batch %1").arg(number));
    setAccessibleDescription(tr("%1, mask lets through: %2").arg(panel_->caption(), chips_->accessibleDescription()));
}

}  // namespace palimpsest
