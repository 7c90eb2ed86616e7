// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/player_controller.h"

#include <QAction>
#include <QComboBox>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QStyledItemDelegate>
#include <QToolButton>
#include <algorithm>
#include <utility>

#include "ui/commands/action_book.h"
#include "ui/state/window_state.h"
#include "ui/style/text_style.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/labels.h"

namespace palimpsest {
namespace {

constexpr int kHeight = 36;

constexpr int kUsualSpeed = 10;
/// More could not be told apart, and would take the window's time.
constexpr std::size_t kMostBeside = 23;

std::ptrdiff_t placeOf(int speed) {
    return std::ranges::find(PlayerStrip::kSpeeds, speed) - PlayerStrip::kSpeeds.begin();
}

}  // namespace

PlayerStrip::PlayerStrip(QWidget* parent) : QFrame(parent), title_(new FittingLabel), speed_(new QComboBox) {
    setObjectName("playerStrip");
    setAccessibleName(tr("Replay"));
    setProperty("panel", true);
    setAttribute(Qt::WA_StyledBackground);
    auto* sign = new IconLabel;
    sign->setIcon(icon("curves"));
    styleLabel(title_, text_size::kText, QFont::DemiBold, false);
    title_->setObjectName("replayTitle");

    QLabel* speed = makeLabel(tr("Speed"), text_size::kText, QFont::Normal, true);
    speed_->setObjectName("replaySpeed");
    speed_->setAccessibleName(tr("Speed of the replay"));
    speed_->setToolTip(tr("How many times as fast as the run learned"));
    speed_->setProperty("quietLook", true);
    speed_->setFocusPolicy(Qt::TabFocus);
    guardWheel(speed_);
    // The plain delegate honours the style sheet's padding in the list.
    speed_->setItemDelegate(new QStyledItemDelegate(speed_));
    for (const int times : kSpeeds) speed_->addItem(tr("%1×").arg(times), times);
    speed->setBuddy(speed_);
    connect(speed_, &QComboBox::currentIndexChanged, this,
            [this] { Q_EMIT speedChosen(speed_->currentData().toInt()); });

    QToolButton* end = makeLink("endReplay", tr("End"), tr("End the replay; the whole run is shown again"));
    end->setFocusPolicy(Qt::TabFocus);
    connect(end, &QToolButton::clicked, this, &PlayerStrip::endAsked);

    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(14, 0, 6, 0);
    row->setSpacing(8);
    row->addWidget(sign);
    row->addWidget(title_, 1);
    row->addWidget(speed);
    row->addWidget(speed_);
    row->addSpacing(12);
    row->addWidget(end);
    fitToText(this, [this] { setFixedHeight(scaled(kHeight)); });
}

void PlayerStrip::setRun(const QString& name, const QStringList& others) {
    const QString alone = tr("Replay of “%1”").arg(name);
    const QString count = QString::number(others.size());
    const QString all = others.isEmpty()     ? alone
                        : others.size() == 1 ? tr("Replay of “%1” and “%2”").arg(name, others.front())
                                             : tr("Replay of “%1” and %2 others").arg(name, count);
    QStringList texts{all};
    if (!others.isEmpty()) texts.append(tr("Replay of %1 runs").arg(others.size() + 1));
    texts.append(tr("Replay"));
    title_->setTexts(texts);
    setAccessibleDescription(all);
}

void PlayerStrip::setSpeed(int speed) {
    speed_->setCurrentIndex(speed_->findData(speed));
}

PlayerController::PlayerController(WindowState& state, const ActionBook& book)
    : state_(state),
      replay_(book.action(Command::ReplayRun)),
      faster_(book.action(Command::ReplayFaster)),
      slower_(book.action(Command::ReplaySlower)),
      strip_(new PlayerStrip),
      speed_(std::make_shared<std::atomic<double>>(kUsualSpeed)) {
    RunController* controller = &state_.controller;
    strip_->setSpeed(kUsualSpeed);
    connect(strip_, &PlayerStrip::speedChosen, this, &PlayerController::setSpeed);
    connect(strip_, &PlayerStrip::endAsked, controller, &RunController::stop);
    connect(replay_, &QAction::triggered, this, [this] {
        if (const ShownRun* run = state_.figures.runs.selected()) replay(run->id);
    });
    connect(faster_, &QAction::triggered, this, [this] { change(1); });
    connect(slower_, &QAction::triggered, this, [this] { change(-1); });
    connect(controller, &RunController::stateChanged, this, &PlayerController::refresh);
    connect(&state_.figures.runs, &RunSet::runsChanged, this, &PlayerController::refresh);
    connect(&state_.library, &RunLibrary::removed, this, [this](const QStringList& ids) {
        const auto plays = [this](const QString& id) { return id == run_ || beside_.contains(id); };
        if (state_.controller.replaying() && std::ranges::any_of(ids, plays)) state_.controller.stop();
    });
    refresh();
}

PlayedBeside PlayerController::besideOf(const ShownRun& run) {
    FigureState& figures = state_.figures;
    // The controller waits for the thread that plays before its children go.
    auto* bridge = new RunBridge(&state_.controller);
    const std::int64_t number = --numbers_;
    bridge->setCurrentRun(number);
    connect(bridge, &RunBridge::started, &figures.runs, &RunSet::onStartedBeside);
    figures.runs.listenTo(bridge);
    figures.histories.listenTo(bridge);
    connect(bridge, &RunBridge::ended, this, [this, bridge, label = run.label](const RunEnded& event) {
        bridge->deleteLater();
        if (event.how == RunEnd::Failed && !event.error.empty())
            Q_EMIT leftOut(tr("“%1” does not play beside the others: %2").arg(label, withOptionTitles(event.error)),
                           tr("The figures show the whole of it. %1").arg(withOptionTitles(event.hint)).trimmed());
    });
    return {run.id.toStdString(), number, bridge};
}

void PlayerController::replayFrom(const QString& folder, std::int64_t from) {
    RunController* controller = &state_.controller;
    std::vector<PlayedBeside> beside;
    if (controller->canStart()) {
        run_ = folder;
        beside_.clear();
        for (const ShownRun* run : state_.figures.runs.visibleRuns()) {
            if (run->id == folder || run->inProgress() || !HistoryStore::hasFolder(run->id)) continue;
            if (beside.size() == kMostBeside) break;
            beside_.append(run->id);
            beside.push_back(besideOf(*run));
        }
        const RunRowPtr row = state_.library.row(folder);
        strip_->setRun(row ? QString::fromStdString(row->name) : QFileInfo(folder).fileName());
    }
    controller->start(ReplayLaunch{[table = &state_.table, place = std::filesystem::path(folder.toStdString()),
                                    beside = std::move(beside), speed = speed_,
                                    from](std::int64_t run, RunControl& control, RunObserver& observer) {
        playRuns(*table, place, run, beside, *speed, control, observer, from);
    }});
}

void PlayerController::setSpeed(int speed) {
    *speed_ = speed;
    strip_->setSpeed(speed);
    refresh();
}

void PlayerController::change(std::ptrdiff_t by) {
    const std::ptrdiff_t place =
        std::clamp<std::ptrdiff_t>(placeOf(speed()) + by, 0, std::ssize(PlayerStrip::kSpeeds) - 1);
    setSpeed(PlayerStrip::kSpeeds[static_cast<std::size_t>(place)]);
}

void PlayerController::refresh() {
    const bool playing = state_.controller.replaying();
    const ShownRun* run = state_.figures.runs.selected();
    strip_->setVisible(playing);
    if (const ShownRun* played = playing ? state_.figures.runs.find(run_) : nullptr) {
        QStringList others;
        for (const QString& id : std::as_const(beside_))
            if (const ShownRun* other = state_.figures.runs.find(id); other && other->live) others.append(other->label);
        strip_->setRun(played->label, others);
    }
    replay_->setEnabled(state_.controller.canStart() && run && !run->inProgress() && HistoryStore::hasFolder(run->id));
    faster_->setEnabled(playing && speed() < PlayerStrip::kSpeeds.back());
    slower_->setEnabled(playing && speed() > PlayerStrip::kSpeeds.front());
}

}  // namespace palimpsest
