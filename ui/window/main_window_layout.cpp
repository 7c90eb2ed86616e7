// SPDX-License-Identifier: GPL-3.0-or-later
// Where the window's parts stand.
#include <QStackedWidget>
#include <QStyle>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/commands/action_book.h"
#include "ui/datasets/fetch_note.h"
#include "ui/experiment/experiment_panel.h"
#include "ui/figures/accuracy_plot.h"
#include "ui/figures/retention_plot.h"
#include "ui/now/now_panel.h"
#include "ui/pretrained/adaptation_controller.h"
#include "ui/runs/runs_panel.h"
#include "ui/style/spacing.h"
#include "ui/style/text_style.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/curves_view.h"
#include "ui/window/dataset_controller.h"
#include "ui/window/dock_title.h"
#include "ui/window/lane_controller.h"
#include "ui/window/main_menus.h"
#include "ui/window/main_window.h"
#include "ui/window/time_controller.h"
#include "ui/window/top_bar.h"
#include "ui/window/welcome_controller.h"
#include "ui/window/window_docks.h"

namespace palimpsest {
namespace {

using spacing::kGap;

constexpr int kLeftWidth = 284;
constexpr int kRightWidth = 264;
constexpr int kRightTitle = 200;  // room for the longest heading on the right
constexpr int kRunsHeight = 168;
constexpr double kRunsShare = 0.2;     // of a high window
constexpr double kFigureShare = 0.41;  // of the window's height, which a figure has under large text, too
constexpr int kLeastHeight = 260;  // of figures and Now: they give way to the lines over them, and the window does not

/// Large text widens the panel by less: the curves need the room.
int leftWidth() {
    return (kLeftWidth + 2 * scaled(kLeftWidth)) / 3;
}

/// A high window has room for more runs; under large text they leave the figures theirs, down to a row.
int runsHeight(const QWidget& window, const WindowDocks& docks, const CurvesView& curves, const RunsPanel& runs) {
    const int usual = std::max(kRunsHeight, static_cast<int>(kRunsShare * window.height()));
    if (TextScale::instance().factor() <= 1) return usual;
    const int border = docks.style()->pixelMetric(QStyle::PM_DockWidgetSeparatorExtent, nullptr, &docks);
    const int figures = DockTitle::kHeight + curves.heightFor(static_cast<int>(kFigureShare * window.height()));
    const int least = DockTitle::kHeight + runs.minimumSizeHint().height();
    return std::clamp(docks.height() - border - figures, std::min(least, usual), usual);
}

}  // namespace

void MainWindow::place() {
    accuracy_->setObjectName("anytimePlot");
    retention_->setObjectName("retentionPlot");
    runs_->setObjectName("runsPanel");
    placePanels();

    auto* centre = new QWidget;
    centre->setObjectName("centralArea");
    auto* column = new QVBoxLayout(centre);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* bar = new TopBar(controller_, menus_);
    bar->addNote(datasets_->note());
    bar->addNote(adaptation_->note());
    connect(menus_->book(), &ActionBook::keysChanged, bar, &TopBar::refreshKeys);
    column->addWidget(bar);
    // The panels keep their own gaps, so that they line up wherever they stand.
    auto* told = new QVBoxLayout;
    told->setContentsMargins(0, 0, 0, 0);
    told->setSpacing(0);
    told->addWidget(new MessageArea(messages_, {kGap, kGap, kGap, 0}));
    for (QWidget* strip : QList<QWidget*>{lanes_->strip()} + time_->strips())
        told->addWidget(new MessageArea(strip, {kGap, kGap, kGap, 0}));
    column->addLayout(told);
    auto* content = new QVBoxLayout;
    content->setContentsMargins(kGap - WindowDocks::kGap, kGap - DockTitle::kHeight, kGap - WindowDocks::kGap, kGap);
    content->addWidget(docks_, 1);
    column->addLayout(content, 1);
    setCentralWidget(centre);
    // Nothing is under the keyboard until a person says so; a click beside the controls takes the focus away again.
    centre->setFocusPolicy(Qt::ClickFocus);
    centre->setFocus();
}

void MainWindow::placePanels() {
    fitToText(docks_, [this] {
        experiment_->setMinimumWidth(leftWidth());
        now_->setMinimumSize(std::max(kRightWidth, scaled(kRightTitle)), scaled(kLeastHeight));
        welcome_->centre()->setMinimumHeight(scaled(kLeastHeight));
    });
    docks_->addPanel(
        experiment_, "experimentDock", tr("Experiment"), Qt::LeftDockWidgetArea,
        [] { return leftWidth() + 2 * WindowDocks::kGap; }, "showExperiment");
    docks_->addPanel(
        now_, "nowDock", tr("Now"), Qt::RightDockWidgetArea,
        [] { return std::max(kRightWidth, scaled(kRightTitle)) + 2 * WindowDocks::kGap; }, "showNow");
    docks_->addPanel(
        runs_, "runsDock", tr("Runs"), Qt::BottomDockWidgetArea,
        [this] { return runsHeight(*this, *docks_, *curves_, *runs_); }, "showRuns");
    docks_->reset();
    menus_->addPanels(docks_->shownActions());
}

}  // namespace palimpsest
