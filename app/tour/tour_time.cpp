// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/tour/tour_time.h"

#include <QAction>
#include <QDialog>

#include "ui/state/run_controller.h"
#include "ui/state/run_set.h"
#include "ui/timeline/fork_controller.h"
#include "ui/window/curves_view.h"
#include "ui/window/main_window.h"
#include "ui/window/time_controller.h"

namespace palimpsest {
namespace {

constexpr std::int64_t kMoment = 2;  // moment shown: the run's images divided by this
constexpr int kReplayMs = 2500;      // replay before its picture

}  // namespace

void TimeScenes::take() {
    showMoment();
    showFork();
    showBranches();
    showReplay();
    window_.state().figures.cursor.pin(std::nullopt);
}

void TimeScenes::showMoment() {
    const ShownRun* run = window_.curves()->selected();
    window_.state().figures.cursor.pin(run->facts->total_samples / kMoment);
    pictures("28-moment", &window_);
}

/// Shows a fork with another mask than its parent, whose learning rate is changed while it runs.
void TimeScenes::showFork() {
    window_.action(Command::ForkHere)->trigger();
    waitFor([this] { return window_.time()->forks()->waits(); }, "the fork");
    run()->draft()->set("mask.name", std::string("none"));
    pictures("29-fork", &window_);
    runThrough(
        "30-live-dark", [this] { run()->draft()->set("training.learning_rate", 0.02); },
        [this] { window_.action(Command::ChangeRun)->trigger(); });
    pictures("31-branched", &window_);
}

void TimeScenes::showBranches() {
    window_.action(Command::Branches)->trigger();
    QDialog* dialog = nullptr;
    waitFor([&] { return (dialog = window_.findChild<QDialog*>("branchesDialog")) && dialog->isVisible(); },
            "the branches");
    pictures("32-branches", dialog);
    dialog->close();
}

void TimeScenes::showReplay() {
    window_.action(Command::ReplayRun)->trigger();
    waitFor([this] { return run()->replaying(); }, "the replay");
    pause(kReplayMs);
    picture("33-replay-dark", false);
    run()->stop();
    waitFor([this] { return !run()->busy(); }, "the end of the replay");
}

}  // namespace palimpsest
