// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/welcome_controller.h"

#include <QStackedWidget>

#include "ui/experiment/experiment_panel.h"
#include "ui/state/window_state.h"
#include "ui/window/curves_view.h"
#include "ui/window/dataset_controller.h"
#include "ui/window/open_controller.h"
#include "ui/window/welcome_page.h"
#include "ui/window/workspace.h"

namespace palimpsest {

WelcomeController::WelcomeController(WindowState& state, CurvesView* curves, ExperimentPanel* experiment,
                                     DatasetController* datasets, OpenController* opening)
    : state_(state), curves_(curves), centre_(new QStackedWidget), page_(new WelcomePage) {
    centre_->setObjectName("centreStack");
    centre_->addWidget(curves_);
    centre_->addWidget(page_);
    connect(page_, &WelcomePage::dataAsked, datasets, &DatasetController::askForImages);
    connect(page_, &WelcomePage::recentAsked, opening, &OpenController::open);
    connect(page_, &WelcomePage::leaveAsked, this, &WelcomeController::showFigures);
    connect(curves_, &CurvesView::pageShown, this, &WelcomeController::showFigures);
    for (std::size_t lane = 0; lane < RunController::kLanes; ++lane)
        connect(state_.controller.bridge(lane), &RunBridge::started, this, &WelcomeController::showFigures);
    connect(experiment, &ExperimentPanel::presetChosen, this, &WelcomeController::showFigures);
    connect(opening, &OpenController::experimentOpened, this, &WelcomeController::showFigures);
    connect(datasets, &DatasetController::imagesOpened, this, [this](bool success) {
        if (success) showFigures();
    });
    connect(&state_.figures.runs, &RunSet::runsChanged, this, [this] {
        if (!state_.figures.runs.visibleRuns().empty()) showFigures();
    });
}

void WelcomeController::follow(const Workspace* workspace) {
    const auto tell = [this, workspace] { page_->setRecent(workspace->recent()); };
    const auto greet = [this, workspace] {
        if (!workspace->hasRuns() && state_.figures.runs.visibleRuns().empty()) showWelcome();
    };
    connect(workspace, &Workspace::recentChanged, this, tell);
    connect(workspace, &Workspace::runMissed, this, greet);
    tell();
    greet();
}

void WelcomeController::showWelcome() {
    centre_->setCurrentWidget(page_);
}

void WelcomeController::showFigures() {
    centre_->setCurrentWidget(curves_);
}

}  // namespace palimpsest
