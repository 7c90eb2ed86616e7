// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/time_controller.h"

#include "ui/commands/action_book.h"
#include "ui/experiment/live_change_controller.h"
#include "ui/experiment/pause_controller.h"
#include "ui/now/moment_controller.h"
#include "ui/now/now_panel.h"
#include "ui/runs/branches.h"
#include "ui/runs/run_actions.h"
#include "ui/runs/runs_panel.h"
#include "ui/state/window_state.h"
#include "ui/timeline/fork_controller.h"
#include "ui/timeline/player_controller.h"
#include "ui/timeline/time_line.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/panel.h"
#include "ui/window/curves_view.h"

namespace palimpsest {

TimeController::TimeController(WindowState& state, const Widgets& widgets, const ActionBook& book, QWidget* window) {
    RunsPanel* runs = widgets.runs;
    for (std::size_t lane = 0; lane < RunController::kLanes; ++lane)
        new MomentController(state.figures, {state.laboratory.labels, state.laboratory.datasets},
                             state.controller.bridge(lane), widgets.now, lane);
    player_ = std::make_unique<PlayerController>(state, book);
    connect(runs->actions(), &RunActions::replayRequested, player_.get(), &PlayerController::replay);
    connect(player_.get(), &PlayerController::leftOut, this,
            [messages = widgets.messages](const QString& message, const QString& hint) {
                messages->showMessage(MessageBar::Kind::Note, message, hint);
            });
    forks_ = std::make_unique<ForkController>(state, widgets.messages, book.action(Command::ForkHere));
    connect(runs->actions(), &RunActions::forkRequested, forks_.get(), &ForkController::fork);
    live_ =
        std::make_unique<LiveChangeController>(&state.controller, widgets.messages, book.action(Command::ChangeRun));
    connect(forks_.get(), &ForkController::begun, live_.get(), &LiveChangeController::ignoreDraft);
    branches_ = std::make_unique<BranchesController>(&state.library, runs, book.action(Command::Branches), window);
    pauses_ = std::make_unique<PauseController>(&state.controller, book, widgets.messages, window);
    for (const Command command : {Command::ReplayRun, Command::ForkHere})
        widgets.curves->timeLine()->addEnd(book.action(command));
}

TimeController::~TimeController() = default;

QList<QWidget*> TimeController::strips() const {
    return {forks_->strip(), live_->strip(), player_->strip()};
}

}  // namespace palimpsest
