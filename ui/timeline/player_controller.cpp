// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/player_controller.h"

#include <QAction>
#include <QFileInfo>
#include <algorithm>

#include "engine/record/run_player.h"
#include "ui/commands/action_book.h"
#include "ui/state/window_state.h"

namespace palimpsest {
namespace {

constexpr int kUsualSpeed = 10;

std::ptrdiff_t placeOf(int speed) {
    return std::ranges::find(PlayerStrip::kSpeeds, speed) - PlayerStrip::kSpeeds.begin();
}

}  // namespace

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

int PlayerController::speed() const {
    return static_cast<int>(speed_->load());
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
