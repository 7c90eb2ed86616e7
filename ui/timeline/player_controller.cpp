// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/player_controller.h"

#include <QAction>
#include <QFileInfo>
#include <algorithm>

#include "engine/record/run_player.h"
#include "ui/state/history_store.h"
#include "ui/state/run_controller.h"
#include "ui/state/run_library.h"
#include "ui/state/run_set.h"

namespace palimpsest {
namespace {

constexpr int kUsualSpeed = 10;

std::ptrdiff_t placeOf(int speed) {
    return std::ranges::find(PlayerStrip::kSpeeds, speed) - PlayerStrip::kSpeeds.begin();
}

}  // namespace

PlayerController::PlayerController(const Parts& parts, QObject* parent)
    : QObject(parent),
      parts_(parts),
      strip_(new PlayerStrip),
      speed_(std::make_shared<std::atomic<double>>(kUsualSpeed)) {
    strip_->setSpeed(kUsualSpeed);
    connect(strip_, &PlayerStrip::speedChosen, this, &PlayerController::setSpeed);
    connect(strip_, &PlayerStrip::endAsked, parts_.controller, &RunController::stop);
    connect(parts_.replay, &QAction::triggered, this, [this] {
        if (const ShownRun* run = parts_.store->selected()) replay(run->id);
    });
    connect(parts_.faster, &QAction::triggered, this, [this] { change(1); });
    connect(parts_.slower, &QAction::triggered, this, [this] { change(-1); });
    connect(parts_.controller, &RunController::stateChanged, this, &PlayerController::refresh);
    connect(parts_.store, &RunSet::runsChanged, this, &PlayerController::refresh);
    connect(parts_.library, &RunLibrary::removed, this, [this](const QStringList& ids) {
        if (parts_.controller->replaying() && ids.contains(run_)) parts_.controller->stop();
    });
    refresh();
}

void PlayerController::replay(const QString& folder) {
    RunController* controller = parts_.controller;
    if (controller->canStart()) {
        run_ = folder;
        const RunRowPtr row = parts_.library->row(folder);
        strip_->setRun(row ? QString::fromStdString(row->name) : QFileInfo(folder).fileName());
    }
    controller->replay([table = &controller->draft()->table(), place = std::filesystem::path(folder.toStdString()),
                        speed = speed_](std::int64_t run, RunControl& control, RunObserver& observer) {
        playRun(*table, place, run, *speed, control, observer);
    });
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
    const bool playing = parts_.controller->replaying();
    const ShownRun* run = parts_.store->selected();
    strip_->setVisible(playing);
    if (const ShownRun* played = playing ? parts_.store->find(run_) : nullptr) strip_->setRun(played->label);
    parts_.replay->setEnabled(parts_.controller->canStart() && run && !run->goesOn() &&
                              HistoryStore::hasFolder(run->id));
    parts_.faster->setEnabled(playing && speed() < PlayerStrip::kSpeeds.back());
    parts_.slower->setEnabled(playing && speed() > PlayerStrip::kSpeeds.front());
}

}  // namespace palimpsest
