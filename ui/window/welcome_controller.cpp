// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/welcome_controller.h"

#include <QStackedWidget>

#include "ui/experiment/experiment_panel.h"
#include "ui/state/run_controller.h"
#include "ui/state/run_set.h"
#include "ui/window/curves_view.h"
#include "ui/window/dataset_controller.h"
#include "ui/window/open_controller.h"
#include "ui/window/welcome_page.h"
#include "ui/window/workspace.h"

namespace palimpsest {
namespace {

constexpr const char* kDemo = "demo";

}  // namespace

WelcomeController::WelcomeController(const Parts& parts, QObject* parent)
    : QObject(parent), parts_(parts), centre_(new QStackedWidget), page_(new WelcomePage) {
    centre_->setObjectName("centreStack");
    centre_->addWidget(parts_.curves);
    centre_->addWidget(page_);
    connect(page_, &WelcomePage::demoAsked, this, &WelcomeController::watchDemo);
    connect(page_, &WelcomePage::dataAsked, parts_.datasets, &DatasetController::askForImages);
    connect(page_, &WelcomePage::recentAsked, parts_.opening, &OpenController::open);
    connect(page_, &WelcomePage::leaveAsked, this, &WelcomeController::showFigures);
    connect(parts_.curves, &CurvesView::pageShown, this, &WelcomeController::showFigures);
    for (std::size_t lane = 0; lane < RunController::kLanes; ++lane)
        connect(parts_.controller->bridge(lane), &RunBridge::started, this, &WelcomeController::showFigures);
    connect(parts_.experiment, &ExperimentPanel::presetChosen, this, &WelcomeController::showFigures);
    connect(parts_.opening, &OpenController::experimentOpened, this, &WelcomeController::showFigures);
    connect(parts_.datasets, &DatasetController::imagesTaken, this, [this](bool success) {
        if (success) showFigures();
    });
    connect(parts_.store, &RunSet::runsChanged, this, [this] {
        if (!parts_.store->visibleRuns().empty()) showFigures();
    });
}

void WelcomeController::follow(const Workspace* workspace) {
    const auto tell = [this, workspace] { page_->setRecent(workspace->recent()); };
    const auto greet = [this, workspace] {
        if (!workspace->hasRuns() && parts_.store->visibleRuns().empty()) showWelcome();
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
    centre_->setCurrentWidget(parts_.curves);
}

void WelcomeController::watchDemo() {
    showFigures();
    RunController* controller = parts_.controller;
    // What is going on is what is watched.
    if (controller->busy()) return;
    connect(
        parts_.opening, &OpenController::opened, controller,
        [controller](bool success) {
            if (success && controller->canStart()) controller->startOrResume();
        },
        Qt::SingleShotConnection);
    parts_.opening->open(kDemo);
}

}  // namespace palimpsest
