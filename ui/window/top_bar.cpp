// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/top_bar.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenuBar>
#include <QProgressBar>
#include <QPushButton>
#include <QStyle>
#include <algorithm>
#include <utility>

#include "ui/commands/action_book.h"
#include "ui/state/key_names.h"
#include "ui/state/learner_wait.h"
#include "ui/state/number_text.h"
#include "ui/style/text_style.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/labels.h"

namespace palimpsest {
namespace {

constexpr int kButtons = 26, kAroundBar = 18;  // height: of the buttons, which grow with the text, and around them
constexpr int kBarSteps = 1000;
constexpr int kTurnMs = 100;
constexpr int kNameWidth = 150, kLeastName = 60;  // as wide as the name may be; narrower it leaves
constexpr int kRounding = 2;                      // pixels that a label may be wider than its text

QPushButton* makeButton(const QString& name, const QString& text, const QString& tip, QWidget* parent) {
    auto* button = new QPushButton(text, parent);
    button->setObjectName(name);
    button->setAccessibleName(text);
    button->setToolTip(tip);
    // No focus by click: Space keeps meaning pause and resume after one.
    button->setFocusPolicy(Qt::TabFocus);
    return button;
}

/// Forms of a wait, each shorter than the one before; the seconds are the last that is cut.
QStringList waitTexts(const LearnerWait& wait) {
    const QString time = waitTimeText(wait);
    return {waitText(wait) + QStringLiteral(" …"), time + QStringLiteral(" · ") + QString::fromStdString(wait.learner),
            time};
}

}  // namespace

TopBar::TopBar(RunController* controller, QMenuBar* menus, const ActionBook* book, QWidget* parent)
    : QFrame(parent),
      controller_(controller),
      book_(book),
      throttle_(
          kTurnMs, [this] { refreshState(); }, this) {
    setObjectName("topBar");
    auto* product = makeLabel("Palimpsest", 15, QFont::Bold, false, this);
    start_ = makeButton("startButton", tr("Start"), tr("Start the experiment"), this);
    start_->setProperty("primary", true);
    // Wide enough for its longest word, so that nothing jumps when the word changes.
    fitToText(this, [this] {
        setFixedHeight(scaled(kButtons) + kAroundBar);
        start_->setFixedWidth(scaled(98));
    });
    // An icon alone: the bar is full.
    queue_ = makeButton("queueButton", {}, tr("Add to queue"), this);
    queue_->setAccessibleName(tr("Add to queue"));
    step_ = makeButton("stepButton", tr("Step"), tr("Learn one more batch, while paused"), this);
    stop_ = makeButton("stopButton", tr("Stop"), tr("End the run and keep what was learned"), this);
    name_ = makeLabel({}, text_size::kText, QFont::DemiBold, false, this);
    name_->setObjectName("progressName");
    name_->setAccessibleName(tr("Experiment that is going on"));
    session_ = makeLabel({}, text_size::kText, QFont::Normal, true, this);
    session_->setObjectName("progressSession");
    images_ = makeLabel({}, text_size::kText, QFont::DemiBold, false, this);
    images_->setObjectName("progressImages");
    bar_ = new QProgressBar(this);
    bar_->setObjectName("progressBar");
    bar_->setAccessibleName(tr("Progress of the run"));
    bar_->setToolTip(tr("How much of the stream has been learned"));
    bar_->setTextVisible(false);
    bar_->setRange(0, kBarSteps);
    bar_->setFixedWidth(132);
    pace_ = new FittingLabel(this);
    styleLabel(pace_, text_size::kText, QFont::Normal, true);
    pace_->setObjectName("progressPace");
    // Gives way first when large text fills the bar.

    withIcon(queue_, "new");
    withIcon(step_, "step");
    withIcon(stop_, "stop");
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(16, 0, 8, 0);
    row->setSpacing(8);
    row->addWidget(product);
    row->addSpacing(12);
    row->addWidget(start_);
    row->addWidget(queue_);
    row->addWidget(step_);
    row->addWidget(stop_);
    row->addSpacing(16);
    row->addWidget(name_);
    row->addWidget(session_);
    row->addWidget(images_);
    row->addSpacing(4);
    row->addWidget(bar_);
    row->addSpacing(4);
    row->addWidget(pace_, 1);
    find_ = makeButton("findButton", tr("Find …"), tr("Find or do anything"), this);
    withIcon(find_, "search");
    row->addWidget(find_, 0, Qt::AlignVCenter);
    row->addWidget(menus, 0, Qt::AlignVCenter);

    if (book_)
        for (const auto& [button, command] : {std::pair(find_, Command::FindAnything), {queue_, Command::AddToQueue}})
            connect(button, &QPushButton::clicked, book_->action(command), &QAction::trigger);
    else
        for (QWidget* button : {find_, queue_}) button->hide();
    connect(start_, &QPushButton::clicked, controller_, &RunController::primary);
    connect(step_, &QPushButton::clicked, controller_, &RunController::step);
    connect(stop_, &QPushButton::clicked, controller_, &RunController::stopOrStopNow);
    connect(controller_, &RunController::stateChanged, this, &TopBar::refreshState);
    connect(controller_, &RunController::starting, this, [this] { progress_.clear(); });
    for (std::size_t i = 0; i < RunController::kLanes; ++i) {
        RunBridge* bridge = controller_->bridge(i);
        connect(bridge, &RunBridge::started, this, [this, i](const RunStarted& event) {
            progress_.begin(i, event);
            throttle_.forget();
            refreshState();
        });
        connect(bridge, &RunBridge::progressed, this, [this, i](const Progress& event) {
            progress_.follow(i, event);
            throttle_.ask();
        });
        connect(bridge, &RunBridge::ended, this, [this, i](const RunEnded& event) {
            progress_.end(i, event, controller_->replayed(), controller_->paired());
            if (!controller_->replayed()) before_stage_.reset();
            if (!staged_ && before_stage_) progress_ = *std::exchange(before_stage_, std::nullopt);
            refreshState();
        });
    }
    connect(&TextScale::instance(), &TextScale::changed, this, &TopBar::refreshState);  // the name is cut to fit
    refreshKeys();
}

QString TopBar::tip(const QString& words, Command command) const {
    return ActionBook::tip(words, book_ ? book_->action(command) : nullptr);
}

void TopBar::refreshKeys() {
    find_->setToolTip(tip(tr("Find or do anything"), Command::FindAnything));
    queue_->setToolTip(tip(tr("Add to queue: the experiment waits for its turn, with several seeds if you like"),
                           Command::AddToQueue));
    refreshState();
}

void TopBar::addNote(QWidget* note) {
    auto* row = static_cast<QHBoxLayout*>(layout());
    row->insertWidget(row->indexOf(find_), note, 0, Qt::AlignVCenter);
    note->installEventFilter(this);
}

void TopBar::forgetOutcome() {
    before_stage_.reset();
    if (controller_->busy()) return;
    progress_.clear();
    refreshState();
}

void TopBar::forgetFailure() {
    if (before_stage_) before_stage_->clearFailures();
    if (controller_->busy()) return;
    progress_.clearFailures();
    refreshState();
}

void TopBar::setAsking(bool asking) {
    asking_ = asking;
    refreshState();
}

void TopBar::setStaged(bool staged) {
    staged_ = staged;
    if (staged)
        before_stage_ = controller_->busy() ? std::nullopt : std::optional(progress_);
    else if (before_stage_ && !controller_->busy())
        progress_ = *std::exchange(before_stage_, std::nullopt);
    refreshState();
}

void TopBar::refreshState() {
    const bool replay = controller_->replaying();
    QString text = tr("Start"), sign = "play", hint = tip(tr("Start the experiment"), Command::StartRun);
    switch (controller_->state()) {
        case RunState::Idle:
            break;
        case RunState::Paused:
            text = tr("Resume");
            hint = tip(replay ? tr("Resume the replay") : tr("Resume learning"), Command::PauseRun);
            break;
        default:
            text = tr("Pause");
            sign = "pause";
            hint = tip(replay ? tr("Pause the replay") : tr("Pause at the next batch"), Command::PauseRun);
    }
    start_->setText(text);
    withIcon(start_, sign, &Theme::on_accent);
    start_->setAccessibleName(text);
    start_->setToolTip(hint);
    start_->setEnabled(controller_->state() != RunState::Stopping);
    step_->setToolTip(tip(replay ? tr("Play one more batch, while paused") : tr("Learn one more batch, while paused"),
                          Command::StepRun));
    stop_->setToolTip(tip(replay                      ? tr("End the replay")
                          : controller_->canStopNow() ? tr("End the learner at once and keep the newest checkpoint")
                                                      : tr("End the run and keep what was learned"),
                          Command::StopRun));
    // A second press does something else than the first.
    stop_->setText(controller_->canStopNow() ? tr("End learner") : tr("Stop"));
    stop_->setAccessibleName(stop_->text());
    step_->setEnabled(controller_->canStep());
    stop_->setEnabled(controller_->canStop() || controller_->canStopNow());

    const Experiment* running = controller_->running();
    name_->setVisible(running != nullptr);
    if (running) {
        title_ = QString::fromStdString(running->name);
        name_->setText(name_->fontMetrics().elidedText(title_, Qt::ElideRight, scaled(kNameWidth)));
        name_->setToolTip(tr("“%1”, seed %2").arg(title_, QString::number(running->seed)));
    }
    const RunProgress::Lane* begun = controller_->busy() ? progress_.current() : nullptr;
    session_->show();
    bar_->setVisible(begun != nullptr);
    images_->setVisible(begun != nullptr);
    const QString detail = controller_->detail(), outcome = progress_.outcome(controller_->paired());
    if (begun) {
        const Progress& progress = begun->progress;
        session_->setText((replay ? tr("Replay, session %1 of %2") : tr("Session %1 of %2"))
                              .arg(progress.session + 1)
                              .arg(begun->sessions));
        images_->setText(tr("%1 / %2 images").arg(countText(progress.samples_seen), countText(progress.total_samples)));
        bar_->setValue(progress.total_samples > 0
                           ? static_cast<int>(progress.samples_seen * kBarSteps / progress.total_samples)
                           : 0);
        showStatus(statuses());
    } else if (controller_->canStopNow()) {
        session_->setText(tr("Stopping"));
        showStatus(statuses());
    } else {
        showStatus({});
        if (controller_->busy())
            session_->setText((detail.isEmpty() ? tr("Preparing") : detail) + " …");
        else if (asking_)
            session_->setText(tr("Waiting for your answer: may the program be started?"));
        else
            session_->setText(outcome.isEmpty()
                                  ? KeyNames::instance().filled(tr("Ready. {startRun} starts the experiment."))
                                  : outcome);
    }
    giveWay();
}

QStringList TopBar::statuses() const {
    const QString detail = controller_->detail();
    if (controller_->state() == RunState::Paused) {
        const QString step = controller_->replaying() ? tr("Paused. {stepRun} plays one batch.")
                                                      : tr("Paused. {stepRun} learns one batch.");
        return {KeyNames::instance().filled(step), tr("Paused")};
    }
    if (const auto wait = controller_->stopWaitsFor())
        return QStringList{KeyNames::instance().filled(tr("%1. {stopRun} ends it.")).arg(waitText(*wait))} +
               waitTexts(*wait);
    if (controller_->pauses()) return {detail + " …", tr("Pausing …")};
    if (const auto& wait = controller_->wait()) return waitTexts(*wait);
    if (!detail.isEmpty()) return {detail + " …", detail.left(detail.lastIndexOf(',')) + " …"};
    const Progress progress = progress_.pace();
    QStringList texts{paceText(progress)};
    if (progress.seconds_left >= 0 && progress.images_per_second > 0)
        texts.append(tr("%1 left").arg(durationText(progress.seconds_left)));
    return texts;
}

void TopBar::showStatus(const QStringList& texts) {
    const auto wide = [this](const QString& text) { return pace_->fontMetrics().horizontalAdvance(text) + 1; };
    // Evaluations and batches take turns many times a minute: what gave way once does not come back between them.
    const std::pair now(controller_->state(), controller_->pauses());
    if (texts.isEmpty() || now != status_of_) wanted_ = least_ = 0;
    status_of_ = now;
    if (!texts.isEmpty()) {
        wanted_ = std::max(wanted_, wide(texts.first()));
        least_ = std::max(least_, wide(texts.last()));
    }
    pace_->setTexts(texts);
}

QList<QWidget*> TopBar::optional() const {
    return {name_, bar_, session_, images_};
}

QSize TopBar::minimumSizeHint() const {
    QSize size = QFrame::minimumSizeHint();
    for (const QWidget* part : optional())
        if (!part->isHidden())
            size.rwidth() -= std::max(part->minimumWidth(), part->minimumSizeHint().width()) + layout()->spacing();
    return size;
}

void TopBar::giveWay() {
    // Pixels that are wanted and not there. The parts that stay get all their room before the status gets any.
    const auto lacking = [this](int status) {
        const QSize others = status > 0 ? layout()->totalSizeHint() : layout()->totalMinimumSize();
        return others.width() + status - width();
    };
    if (lacking(wanted_) > 0) shortenName(lacking(wanted_));
    for (QWidget* part : optional()) {
        // Name and bar leave the room to the whole status, the others to its short form: to what a stop waits for, all.
        const bool first = part == name_ || part == bar_ || controller_->canStopNow();
        const int status = first ? wanted_ : least_;
        if (lacking(status) <= 0) return;
        part->hide();
    }
}

void TopBar::shortenName(int pixels) {
    const int room = name_->sizeHint().width() - pixels - kRounding;
    if (name_->isHidden() || room < scaled(kLeastName)) return;
    name_->setText(name_->fontMetrics().elidedText(title_, Qt::ElideRight, room));
}

bool TopBar::event(QEvent* event) {
    const bool result = QFrame::event(event);
    // A note came, or has more to say: without room for all, the layout would cut what is longest.
    if (event->type() == QEvent::LayoutRequest) giveWay();
    return result;
}

bool TopBar::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::HideToParent) throttle_.ask();  // a note leaves room to those that gave way
    return QFrame::eventFilter(watched, event);
}

void TopBar::resizeEvent(QResizeEvent* event) {
    QFrame::resizeEvent(event);
    wanted_ = least_ = 0;
    refreshState();
}

}  // namespace palimpsest
