// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/demo_controller.h"

#include <QAction>
#include <algorithm>
#include <utility>

#include "engine/record/run_folder.h"
#include "ui/state/number_text.h"
#include "ui/state/window_state.h"
#include "ui/timeline/player_controller.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/open_controller.h"

namespace palimpsest {
namespace {

constexpr const char* kPreset = "demo";
constexpr double kSeconds = 12;  // about, that the replay takes
const QString kTopic = QStringLiteral("demo");

QString idOf(const RunRecord& run) {
    return RunSet::idOf(run.folder.string(), 0);
}

/// The slowest speed at which it takes no longer than kSeconds.
int speedFor(double seconds) {
    const auto found =
        std::ranges::find_if(PlayerStrip::kSpeeds, [&](int times) { return seconds / times <= kSeconds; });
    return found == PlayerStrip::kSpeeds.end() ? PlayerStrip::kSpeeds.back() : *found;
}

}  // namespace

DemoController::DemoController(WindowState& state, OpenController* opening, PlayerController* player,
                               MessageBar* messages, QAction* watch)
    : state_(state), opening_(opening), player_(player), messages_(messages) {
    RunController* controller = &state_.controller;
    connect(&state_.files, &FileWorker::demoRunsRead, this, &DemoController::show);
    connect(controller->bridge(0), &RunBridge::ended, this, &DemoController::onEnded);
    connect(controller, &RunController::starting, this, [this] { messages_->withdraw(kTopic); });
    connect(watch, &QAction::triggered, this, &DemoController::watch);
    const auto refresh = [controller, watch] { watch->setEnabled(controller->canStart()); };
    connect(controller, &RunController::stateChanged, watch, refresh);
    refresh();
}

void DemoController::watch() {
    Q_EMIT began();
    if (state_.controller.canStart()) state_.files.readDemoRuns(state_.library.folder());
}

void DemoController::show(const std::vector<Record>& runs) {
    if (!state_.controller.canStart() || runs.size() < 2) return;
    runs_ = runs;
    state_.lane_b.setOn(false);
    RunSet& shown = state_.figures.runs;
    // What was shown before would stand beside the two that are to be compared.
    for (const ShownRun* run : shown.visibleRuns()) shown.setVisible(run->id, false);
    for (const Record& run : runs) {
        state_.library.add(run);
        shown.addRecord(*run);
    }
    shown.showForNow(idOf(*runs[1]));
    shown.showForNow(idOf(*runs[0]));
    openDemo(&DemoController::play);
}

void DemoController::openDemo(void (DemoController::*next)()) {
    connect(
        opening_, &OpenController::opened, this,
        [this, next](bool success) {
            if (success && state_.controller.canStart()) (this->*next)();
        },
        Qt::SingleShotConnection);
    opening_->open(kPreset);
}

void DemoController::play() {
    player_->setSpeed(speedFor(runs_.front()->summary.seconds));
    player_->replay(idOf(*runs_.front()));
    playing_ = state_.controller.replaying();
}

void DemoController::onEnded(const RunEnded&) {
    if (!std::exchange(playing_, false)) return;
    const auto left = [](const Record& run) { return percentText(run->summary.a_last_overall.value_or(0)); };
    messages_->showLatest(MessageBar::Kind::Info, kTopic,
                          tr("At the end, %1 % of the test images are recognised without the mask and %2 % with it.")
                              .arg(left(runs_[1]), left(runs_[0])),
                          tr("That was a recording. “Do it yourself” learns the same images here, both side by side."),
                          {{tr("Do it yourself"), [this] { learnHere(); }}});
}

void DemoController::learnHere() {
    if (state_.controller.canStart()) openDemo(&DemoController::beginLanes);
}

void DemoController::beginLanes() {
    state_.lane_b.setOn(true);
    state_.lane_b.set(QStringLiteral("mask.name"), std::string("none"));
    state_.controller.startOrResume();
}

}  // namespace palimpsest
