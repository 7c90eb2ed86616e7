// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/now_panel.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "ui/batch_thumbnails.h"
#include "ui/class_kinds.h"
#include "ui/key_names.h"
#include "ui/lane_look.h"
#include "ui/mask_chips.h"
#include "ui/memory_strip.h"
#include "ui/panel.h"
#include "ui/prompt_bars.h"
#include "ui/run_controller.h"
#include "ui/sparkline.h"
#include "ui/text_style.h"

namespace palimpsest {
namespace {

constexpr int kBetweenParts = 6;
constexpr int kTurnMs = 100;
constexpr double kImagesShare = 0.4;                            // of the height, at most
constexpr int kHeightForMemory = 320;                           // below that the other parts need the room
constexpr int kHeightForPrompts = 330, kHeightForTitles = 250;  // of a lane

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
      lane_row_(new QWidget),
      lane_icon_(new QLabel),
      lane_name_(partTitle({})),
      pacer_(
          kTurnMs, [this] { showNews(); }, this) {
    setObjectName(QStringLiteral("nowPanel"));
    setAccessibleName(tr("Now"));
    chips_legend_->setObjectName(QStringLiteral("maskLegend"));
    chips_legend_->setWordWrap(true);
    loss_->setObjectName(QStringLiteral("lossSparkline"));
    loss_->setToolTip(tr("Training loss of the latest updates; strong: their running mean"));
    panel_->setHeading(Panel::Heading::Section);

    auto* lane = new QHBoxLayout(lane_row_);
    lane->setContentsMargins(0, 0, 0, 0);
    lane->addWidget(lane_icon_);
    lane->addWidget(lane_name_, 1);
    lane_name_->setObjectName(QStringLiteral("nowLane"));
    lane_row_->hide();

    QVBoxLayout* column = panel_->body();
    column->setSpacing(6);
    column->addWidget(lane_row_);
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
    fitToText(this, [this] { fit(); });
}

void NowPanel::resizeEvent(QResizeEvent* event) {
    thumbnails_->setMostHeight(kImagesShare * height());
    fit();
    QWidget::resizeEvent(event);
}

void NowPanel::showIcon() {
    if (lane_ < 0) return;
    const QIcon icon = laneIcon(this, static_cast<std::size_t>(lane_));
    lane_icon_->setPixmap(icon.pixmap(kLaneIconWidth, kLaneIconHeight));
}

void NowPanel::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) showIcon();
    QWidget::changeEvent(event);
}

void NowPanel::fit() {
    const auto roomFor = [this](int pixels) { return height() >= scaled(pixels); };
    memory_->setVisible(has_memory_ && roomFor(kHeightForMemory) && (lane_ < 0 || !has_prompts_));
    const bool prompts = has_prompts_ && (lane_ < 0 || roomFor(kHeightForPrompts));
    prompts_title_->setVisible(prompts);
    prompts_->setVisible(prompts);
    chips_title_->setVisible(lane_ < 0 || roomFor(kHeightForTitles));
}

void NowPanel::showPrompts(bool shown) {
    has_prompts_ = shown;
    fit();
}

void NowPanel::setLane(int lane, const QString& label) {
    lane_ = lane;
    QString name = tr("Now");
    if (lane >= 0) {
        name = tr("%1 · %2").arg(RunController::laneName(static_cast<std::size_t>(lane)), label);
        lane_name_->setText(name);
        showIcon();
    }
    lane_row_->setVisible(lane >= 0);
    setAccessibleName(name);
    fit();
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
    fit();
    setAccessibleDescription(KeyNames::instance().filled(tr("Nothing is being learned. Press {startRun} to start.")));
}

void NowPanel::setRun(const RunStarted& started) {
    clear();
    words_ = wordsOf(started);
    thumbnails_->setClasses(words_.names, words_.kinds);
    chips_->setClasses(words_.names, words_.kinds);
    memory_->clear(started.experiment.memory.size);
    has_memory_ = started.experiment.memory.size > 0;
    fit();
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
