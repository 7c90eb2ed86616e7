// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/demo_controller.h"

#include <QAction>
#include <QUndoStack>
#include <algorithm>
#include <utility>

#include "engine/record/run_folder.h"
#include "ui/state/number_text.h"
#include "ui/state/window_state.h"
#include "ui/style/text_style.h"
#include "ui/timeline/player_controller.h"
#include "ui/widgets/message_bar.h"

namespace palimpsest {
namespace {

constexpr double kSeconds = 12;  // that the replay takes at most
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

DemoController::DemoController(WindowState& state, PlayerController* player, MessageBar* messages, QAction* watch)
    : state_(state), player_(player), messages_(messages) {
    RunController* controller = &state_.controller;
    connect(&state_.files, &FileWorker::demoRead, this, &DemoController::play);
    connect(controller->bridge(0), &RunBridge::ended, this, &DemoController::onEnded);
    connect(controller, &RunController::starting, this, [this] { messages_->withdraw(kTopic); });
    connect(watch, &QAction::triggered, this, &DemoController::watch);
    const auto refresh = [controller, watch] { watch->setEnabled(controller->canStart()); };
    connect(controller, &RunController::stateChanged, watch, refresh);
    refresh();
}

void DemoController::watch() {
    Q_EMIT began();
    if (state_.controller.canStart()) state_.files.readDemo(state_.library.folder());
}

void DemoController::play(const DemoFiles& files) {
    if (!state_.controller.canStart() || files.runs.size() < 2) return;
    with_ = files.runs[0];
    without_ = files.runs[1];
    experiment_ = files.experiment;
    RunSet& shown = state_.figures.runs;
    // What was shown before would play as well, beside the two that are to be compared.
    former_.clear();
    former_selected_ = shown.selected() ? shown.selected()->id : QString();
    for (const ShownRun* run : shown.visibleRuns()) {
        if (run->id != idOf(*with_) && run->id != idOf(*without_)) former_.append(run->id);
        shown.setVisible(run->id, false);
    }
    for (const auto& run : files.runs) {
        state_.library.add(run);
        shown.addRecord(*run);
    }
    shown.showForNow(idOf(*without_));
    shown.showForNow(idOf(*with_));
    player_->setSpeed(speedFor(with_->summary.seconds));
    player_->replay(idOf(*with_));
    playing_ = state_.controller.replaying();
}

void DemoController::onEnded(const RunEnded& event) {
    if (!std::exchange(playing_, false) || event.how == RunEnd::Failed) return;
    const auto &with = with_->summary.a_last_overall, &without = without_->summary.a_last_overall;
    if (!with || !without) return;
    QList<MessageBar::Action> actions{
        {tr("Do it yourself"), [this] { learnHere(); }},
        {tr("Is it luck?"), [this] { Q_EMIT evidenceAsked("results", "the-demo-on-other-streams"); }, true}};
    if (!former_.isEmpty()) actions.append({tr("Show the former runs"), [this] { showFormer(); }});
    messages_->showOffer(
        kTopic,
        tr("After the last image (A_Last), %1 % of the test images are recognised without the mask and %2 % with "
           "it.")
            .arg(percentText(*without), percentText(*with)),
        tr("That was a recording of one seed, and one seed proves little: “Is it luck?” shows ten in the guide. “Do "
           "it yourself” learns the same images here, both side by side."),
        actions);
}

void DemoController::showFormer() {
    RunSet& shown = state_.figures.runs;
    for (const auto& run : {with_, without_}) shown.setVisible(idOf(*run), false);
    for (const QString& id : std::as_const(former_)) shown.showAgain(id);
    shown.select(former_selected_);
}

void DemoController::learnHere() {
    if (!state_.controller.canStart()) return;
    ExperimentDraft* draft = state_.controller.draft();
    const QString step = tr("opening of %1").arg(QString::fromStdString(experiment_.name));
    draft->undoStack()->beginMacro(step);
    draft->replace(experiment_, step);
    state_.lane_b.begin({{"mask.name", std::string("none")}});
    draft->undoStack()->endMacro();
    state_.saved.keep({}, experiment_);
    state_.controller.startOrResume();
}

}  // namespace palimpsest
