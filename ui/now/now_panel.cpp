// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/now/now_panel.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>
#include <utility>

#include "ui/now/batch_thumbnails.h"
#include "ui/now/mask_chips.h"
#include "ui/now/memory_strip.h"
#include "ui/now/now_moment.h"
#include "ui/now/prompt_bars.h"
#include "ui/now/push_bars.h"
#include "ui/state/class_names.h"
#include "ui/state/key_names.h"
#include "ui/state/learned_batch.h"
#include "ui/state/run_controller.h"
#include "ui/state/run_set.h"
#include "ui/style/text_style.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/panel.h"
#include "ui/widgets/sparkline.h"
#include "ui/widgets/term_label.h"

namespace palimpsest {
namespace {

constexpr int kBetweenParts = 6;
constexpr int kPanelTurnMs = 100;
constexpr double kImagesShare = 0.4;                            // of the height, at most
constexpr int kHeightForMemory = 320;                           // below that the other parts need the room
constexpr int kLeastForPrompts = 300;                           // likewise, of a panel alone
constexpr int kHeightForPrompts = 330, kHeightForTitles = 210;  // of a lane
// No part may raise the least height of the panel above that at which it appears.
constexpr int kHeightForPushes = 360, kLaneHeightForPushes = 230;
constexpr int kHeightForWords = 340;  // of a lane, below its pushes and beside its loss
constexpr int kPushesRoom = 110, kPromptsRoom = 70;

TermLabel* partTitle(Term term, const QString& text) {
    auto* title = new TermLabel(term, text);
    styleLabel(title, text_size::kText, QFont::DemiBold, false);
    title->setObjectName("term." + textOf(term).name);
    return title;
}

constexpr int kPairGap = 8;

}  // namespace

NowName::NowName(QWidget* parent) : QWidget(parent), icon_(new QLabel), heading_(new FittingLabel) {
    setObjectName(QStringLiteral("nowName"));
    heading_->setObjectName(QStringLiteral("nowNameWords"));
    styleLabel(heading_, text_size::kText, QFont::DemiBold, false);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(icon_);
    row->addWidget(heading_, 1);
    refresh();
}

void NowName::setLane(int lane, const QString& label, int look) {
    lane_ = lane;
    look_ = look;
    label_ = label;
    refresh();
}

void NowName::setRun(const QString& name) {
    if (name == run_) return;
    run_ = name;
    refresh();
}

QString NowName::spokenName() const {
    return text_.isEmpty() ? tr("Now") : lane_ >= 0 ? text_ : tr("Now. %1").arg(text_);
}

void NowName::refresh() {
    const bool lane = lane_ >= 0;
    text_ = lane             ? tr("%1 · %2").arg(RunController::laneName(static_cast<std::size_t>(lane_)), label_)
            : run_.isEmpty() ? QString()
                             : tr("Of “%1”").arg(run_);
    if (lane) {
        const QIcon icon = laneIcon(this, static_cast<std::size_t>(lane_), look_);
        icon_->setPixmap(icon.pixmap(kLaneIconWidth, kLaneIconHeight));
    }
    icon_->setVisible(lane);
    heading_->setTexts({text_});
    // The name would otherwise pass for that of the run that the figures show.
    setToolTip(lane || text_.isEmpty() ? QString() : tr("It began last; another run is selected in the figures."));
    setVisible(!text_.isEmpty());
}

void NowName::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) refresh();
    QWidget::changeEvent(event);
}

NowPanel::NowPanel(QWidget* parent)
    : QWidget(parent),
      panel_(new Panel(tr("Now"))),
      thumbnails_(new BatchThumbnails),
      chips_title_(partTitle(Term::Logit, tr("Classes the mask lets through"))),
      chips_(new MaskChips),
      chips_legend_(makeLabel(MaskChips::openText(), text_size::kCaption, QFont::Normal, true)),
      pushes_title_(partTitle(Term::Push, tr("Push on each class"))),
      pushes_(new PushBars),
      pushes_words_(makeLabel({}, text_size::kCaption, QFont::Normal, true)),
      prompts_title_(partTitle(Term::Prompt, tr("Prompts selected"))),
      prompts_(new PromptBars),
      memory_(new MemoryStrip),
      loss_(new Sparkline(tr("Loss"))),
      batch_label_(makeLabel({}, text_size::kCaption, QFont::Normal, true)),
      past_loss_(new Sparkline(tr("Loss"))),
      name_(new NowName),
      throttle_(
          kPanelTurnMs, [this] { showNews(); }, this) {
    setObjectName(QStringLiteral("nowPanel"));
    chips_legend_->setObjectName(QStringLiteral("maskLegend"));
    chips_legend_->setWordWrap(true);
    pushes_words_->setObjectName(QStringLiteral("pushWords"));
    pushes_words_->setWordWrap(true);
    loss_->setObjectName(QStringLiteral("lossSparkline"));
    loss_->setToolTip(tr("Training loss of the latest updates; strong: their running mean"));
    batch_label_->setObjectName(QStringLiteral("batchWords"));
    batch_label_->setWordWrap(true);
    past_loss_->setObjectName(QStringLiteral("pastLossSparkline"));
    past_loss_->setToolTip(tr("Training loss of the updates up to the chosen moment; strong: their running mean"));
    panel_->setHeading(Panel::Heading::Section);

    QVBoxLayout* column = panel_->body();
    column->setSpacing(6);
    column->addWidget(name_);
    column->addWidget(thumbnails_);
    column->addWidget(batch_label_);
    for (const auto& [title, part] :
         {std::pair<QWidget*, QWidget*>(chips_title_, chips_), std::pair<QWidget*, QWidget*>(pushes_title_, pushes_),
          std::pair<QWidget*, QWidget*>(prompts_title_, prompts_)}) {
        column->addSpacing(kBetweenParts);
        column->addWidget(title);
        column->addWidget(part);
        if (part == chips_) column->addWidget(chips_legend_);
        if (part == pushes_) column->addWidget(pushes_words_);
    }
    column->addSpacing(kBetweenParts);
    column->addWidget(memory_);
    column->addWidget(loss_);
    column->addWidget(past_loss_);
    column->addStretch(0);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(panel_);
    setAccessibleName(name_->spokenName());
    connect(pushes_, &PushBars::chosen, this, [this](std::size_t shown, std::size_t known) {
        pushes_shown_ = shown;
        pushes_known_ = known;
        namePushes();
    });
    clear();
    fitToText(this, [this] { fit(); });
    connect(&KeyNames::instance(), &KeyNames::changed, this, [this] {
        if (idle_) describeIdle();
    });
}

void NowPanel::resizeEvent(QResizeEvent* event) {
    thumbnails_->setMostHeight(kImagesShare * height());
    fit();
    QWidget::resizeEvent(event);
}

void NowPanel::fit() {
    const auto roomFor = [this](int pixels) { return height() >= scaled(pixels); };
    // In a panel alone, prompts and memory come first; of two lanes the pushes do, which are what is compared.
    const int first = lane_ < 0 && (has_prompts_ || has_memory_) ? kPromptsRoom : 0;
    const bool pushes = has_pushes_ && roomFor(lane_ < 0 ? kHeightForPushes + first : kLaneHeightForPushes);
    const int besides = pushes ? kPushesRoom : 0;
    memory_->setVisible(has_memory_ && roomFor(kHeightForMemory + besides) && (lane_ < 0 || !has_prompts_));
    const bool prompts = has_prompts_ && roomFor((lane_ < 0 ? kLeastForPrompts : kHeightForPrompts) + besides);
    const bool whole = lane_ < 0 || roomFor(kHeightForWords);
    pushes_title_->setVisible(pushes);
    pushes_->setVisible(pushes);
    pushes_words_->setVisible(pushes && whole);
    // Of two lanes, the pushes tell more than the losses, which have a page of their own.
    loss_->setVisible(!past_ && (whole || !pushes));
    past_loss_->setVisible(past_ && (whole || !pushes));
    prompts_title_->setVisible(prompts);
    prompts_->setVisible(prompts);
    chips_title_->setVisible(lane_ < 0 || roomFor(kHeightForTitles));
}

void NowPanel::showPrompts(bool shown) {
    has_prompts_ = shown;
    fit();
}

void NowPanel::showPushes(const ClassNames& classes, const std::vector<ClassPush>& pushes) {
    has_pushes_ = !pushes.empty();
    pushes_->setPushes(classes, pushes);
    const QString sentence = pushSentence(classes, pushes);
    pushes_words_->setText(past_ ? tr("Since the evaluation before: %1").arg(sentence) : sentence);
    fit();
}

void NowPanel::setLane(int lane, const QString& label, int look) {
    lane_ = lane;
    name_->setLane(lane, label, look);
    setAccessibleName(name_->spokenName());
    fit();
}

void NowPanel::nameRun(const QString& name) {
    name_->setRun(name);
    setAccessibleName(name_->spokenName());
}

void NowPanel::clear() {
    throttle_.forget();
    batch_.reset();
    held_.reset();
    shown_.reset();
    shown_held_.reset();
    losses_.clear();
    showParts(false);
    panel_->setCaption({});
    thumbnails_->clear();
    chips_->clear();
    chips_legend_->hide();
    showPushes({}, {});
    prompts_->clear();
    loss_->clear();
    memory_size_ = 0;
    has_memory_ = false;
    showPrompts(true);
    describeIdle();
}

void NowPanel::describeIdle() {
    setAccessibleDescription(KeyNames::instance().filled(tr("Nothing is being learned. Press {startRun} to start.")));
    idle_ = true;
}

void NowPanel::describe(const QString& text) {
    setAccessibleDescription(text);
    idle_ = false;
}

void NowPanel::setRun(const RunStarted& started) {
    clear();
    run_ = RunSet::idOf(started.folder, started.run);
    run_name_ = QString::fromStdString(started.experiment.name);
    nameRun({});  // what begins is selected
    classes_ = classNamesOf(started);
    memory_size_ = started.experiment.memory.size;
    prepare(classes_, memory_size_);
    batches_ = started.plan ? batchCount(*started.plan, started.experiment.training.batch_size) : 0;
    describe({});
    if (!started.replayed) return;
    panel_->setCaption(tr("replay"));
    showPrompts(false);
    describe(tr("A recorded run is played back. Its folder holds no images and no masks."));
}

void NowPanel::prepare(const ClassNames& words, std::int64_t memorySize) {
    thumbnails_->setClasses(words.names, words.kinds);
    chips_->setClasses(words.names, words.kinds);
    memory_->clear(memorySize);
    has_memory_ = memorySize > 0;
    fit();
}

void NowPanel::setBatch(const BatchLearned& batch) {
    batch_ = batch;
    throttle_.ask();
}

void NowPanel::setMemory(const MemoryHeld& held) {
    held_ = held;
    throttle_.ask();
}

void NowPanel::addUpdates(const QVector<UpdateDone>& updates) {
    for (const UpdateDone& update : updates) losses_.push_back(update.loss);
    throttle_.ask();
}

void NowPanel::showNews() {
    if (past_) {
        if (losses_.size() > Sparkline::kHistory)  // no more of them would be seen
            losses_.erase(losses_.begin(), losses_.end() - Sparkline::kHistory);
        return;
    }
    if (batch_) {
        shown_ = std::exchange(batch_, std::nullopt);
        showBatch(*shown_);
    }
    if (held_) {
        shown_held_ = std::exchange(held_, std::nullopt);
        showMemory(*shown_held_);
    }
    loss_->append(losses_);
    losses_.clear();
}

void NowPanel::showMemory(const MemoryHeld& held) {
    memory_->setMemory(classes_, balanceOf(held, static_cast<std::size_t>(classes_.names.size())), held.capacity);
}

/// Parts of a moment that has passed, or of the batch that is being learned.
void NowPanel::showParts(bool past) {
    past_ = past;
    fit();
    batch_label_->setVisible(past);
    if (past) return;
    thumbnails_->show();
    panel_->setTitle(tr("Now"));
    chips_title_->setWords(tr("Classes the mask lets through"));
    namePushes();
}

void NowPanel::namePushes() {
    pushes_title_->setWords(pushes_shown_ >= pushes_known_
                                ? tr("Push on each class")
                                : tr("Push on %1 of %2 classes").arg(pushes_shown_).arg(pushes_known_));
}

void NowPanel::showMoment(const NowMoment& moment) {
    const bool first = !past_;
    showParts(true);
    if (first || moment.classes != past_classes_) {
        past_classes_ = moment.classes;
        prepare(moment.classes, moment.memory_size);
        thumbnails_->clear();
    }
    panel_->setTitle(tr("After %1 images").arg(countText(moment.samples_seen)));
    QStringList caption{tr("session %1").arg(moment.session + 1)};
    if (moment.accuracy) caption.append(percentText(*moment.accuracy) + QStringLiteral(" %"));
    panel_->setCaption(caption.join(QStringLiteral(" · ")));
    // While the next ones are read, those of the moment before stay: a drag does not flicker.
    if (!moment.reading) thumbnails_->setImages(moment.images);
    thumbnails_->setVisible(moment.reading || !moment.images.empty());
    batch_label_->setText(!moment.why.isEmpty() ? moment.why
                          : moment.batch > 0
                              ? tr("batch %1 of %2").arg(countText(moment.batch), countText(moment.batches))
                              : tr("Reading the images …"));
    chips_title_->setWords(moment.mask_known ? tr("Classes the mask lets through") : tr("Classes seen so far"));
    if (moment.mask_known)
        chips_->setMask(moment.visible, moment.seen, moment.unseen_open);
    else
        chips_->setSeen(moment.seen);
    chips_legend_->setVisible(chips_->showsOpen());
    showPushes(moment.classes, moment.pushes);
    has_memory_ = moment.memory_size > 0;
    if (moment.memory)
        memory_->setMemory(moment.classes, *moment.memory, moment.memory_size);
    else
        memory_->clear(moment.memory_size);
    prompts_->setUse(moment.prompt_use);
    showPrompts(!moment.prompt_use.empty());
    past_loss_->clear();
    past_loss_->append(moment.losses);
    QStringList parts{panel_->title(),
                      panel_->caption(),
                      moment.run,
                      chips_title_->text() + QStringLiteral(": ") + chips_->accessibleDescription(),
                      pushes_words_->text(),
                      batch_label_->text()};
    parts.removeAll(QString());
    describe(parts.join(QStringLiteral(", ")));
}

void NowPanel::showLive() {
    if (!past_) return;
    if (run_.isEmpty()) return clear();
    showParts(false);
    prepare(classes_, memory_size_);
    panel_->setCaption({});
    thumbnails_->clear();
    chips_->setMask({}, {});
    chips_legend_->hide();
    showPushes({}, {});
    prompts_->clear();
    describe({});
    if (!batch_ && shown_) batch_ = std::exchange(shown_, std::nullopt);
    if (!held_ && shown_held_) held_ = std::exchange(shown_held_, std::nullopt);
    throttle_.forget();
    showNews();
}

void NowPanel::showBatch(const BatchLearned& batch) {
    thumbnails_->setImages(batch.images);
    chips_->setMask(batch.visible_classes, batch.seen_classes, batch.unseen_open);
    chips_legend_->setVisible(chips_->showsOpen());
    showPushes(classes_, batch.pushes);
    showPrompts(!batch.prompt_use.empty());
    prompts_->setUse(batch.prompt_use);
    const QString number = countText(batch.batch);
    panel_->setCaption(batches_ > 0 ? tr("batch %1 of %2").arg(number, countText(batches_))
                                    : tr("batch %1").arg(number));
    describe(tr("%1, mask lets through: %2").arg(panel_->caption(), chips_->accessibleDescription()) +
             (batch.pushes.empty() ? QString() : QStringLiteral(". ") + pushes_words_->text()));
}

NowPair::NowPair(QWidget* parent) : QWidget(parent), panels_{new NowPanel, new NowPanel} {
    setObjectName("nowPair");
    setAccessibleName(tr("Now"));
    panels_[1]->setObjectName("nowPanelB");
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kPairGap);
    for (NowPanel* panel : panels_) column->addWidget(panel, 1);
    setLanes({});
}

void NowPair::setLanes(const QStringList& labels, const std::array<int, 2>& looks) {
    const bool was = paired();
    for (std::size_t lane = 0; lane < panels_.size(); ++lane)
        panels_[lane]->setLane(labels.isEmpty() ? -1 : static_cast<int>(lane), labels.value(static_cast<int>(lane)),
                               looks[lane]);
    panels_[1]->setVisible(!labels.isEmpty());
    if (paired() != was) Q_EMIT pairedChanged();
}

}  // namespace palimpsest
