// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/time_controller.h"

#include "ui/commands/action_book.h"
#include "ui/experiment/live_change_controller.h"
#include "ui/experiment/pause_controller.h"
#include "ui/now/moment_controller.h"
#include "ui/now/now_panel.h"
#include "ui/runs/branches_controller.h"
#include "ui/runs/run_actions.h"
#include "ui/runs/runs_panel.h"
#include "ui/state/run_controller.h"
#include "ui/timeline/fork_controller.h"
#include "ui/timeline/player_controller.h"
#include "ui/timeline/player_strip.h"
#include "ui/timeline/time_line.h"
#include "ui/widgets/action_strip.h"
#include "ui/window/curves_view.h"

namespace palimpsest {

TimeController::TimeController(const Laboratory& laboratory, const Parts& parts, QWidget* window) : QObject(window) {
    ActionBook* book = parts.book;
    CurvesView* curves = parts.curves;
    for (std::size_t lane = 0; lane < RunController::kLanes; ++lane)
        new MomentController({parts.store, curves->histories(), curves->cursor(), laboratory.labels,
                              laboratory.datasets, parts.controller->bridge(lane)},
                             parts.now, lane);
    player_ = std::make_unique<PlayerController>(
        PlayerController::Parts{parts.controller, parts.store, parts.library, book->action("replayRun"),
                                book->action("replayFaster"), book->action("replaySlower")},
        nullptr);
    connect(parts.runs, &RunsPanel::replayRequested, player_.get(), &PlayerController::replay);
    forks_ = std::make_unique<ForkController>(
        laboratory.fork,
        ForkController::Parts{parts.controller, parts.lanes, parts.store, curves->cursor(), parts.messages,
                              book->action("forkHere")},
        nullptr);
    connect(parts.runs->actions(), &RunActions::forkRequested, forks_.get(), &ForkController::fork);
    live_ = std::make_unique<LiveChangeController>(
        LiveChangeController::Parts{parts.controller, parts.messages, book->action("changeRun")}, nullptr);
    connect(forks_.get(), &ForkController::begun, live_.get(), &LiveChangeController::leaveApart);
    branches_ = std::make_unique<BranchesController>(parts.library, parts.runs, book->action("branches"), window);
    new PauseController(parts.controller, book, parts.messages, window);
    for (const char* name : {"replayRun", "forkHere"}) curves->timeLine()->addEnd(book->action(name));
}

TimeController::~TimeController() = default;

QList<QWidget*> TimeController::strips() const {
    return {forks_->strip(), live_->strip(), player_->strip()};
}

}  // namespace palimpsest
