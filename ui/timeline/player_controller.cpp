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

#include "engine/record/run_player.h"
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

void PlayerStrip::setRun(const QString& name) {
    title_->setTexts({tr("Replay of “%1”").arg(name), tr("Replay")});
    setAccessibleDescription(tr("Replay of “%1”").arg(name));
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
        if (state_.controller.replaying() && ids.contains(run_)) state_.controller.stop();
    });
    refresh();
}

void PlayerController::replay(const QString& folder) {
    RunController* controller = &state_.controller;
    if (controller->canStart()) {
        run_ = folder;
        const RunRowPtr row = state_.library.row(folder);
        strip_->setRun(row ? QString::fromStdString(row->name) : QFileInfo(folder).fileName());
    }
    controller->start(ReplayLaunch{[table = &state_.table, place = std::filesystem::path(folder.toStdString()),
                                    speed = speed_](std::int64_t run, RunControl& control, RunObserver& observer) {
        playRun(*table, place, run, *speed, control, observer);
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
    if (const ShownRun* played = playing ? state_.figures.runs.find(run_) : nullptr) strip_->setRun(played->label);
    replay_->setEnabled(state_.controller.canStart() && run && !run->inProgress() && HistoryStore::hasFolder(run->id));
    faster_->setEnabled(playing && speed() < PlayerStrip::kSpeeds.back());
    slower_->setEnabled(playing && speed() > PlayerStrip::kSpeeds.front());
}

}  // namespace palimpsest
