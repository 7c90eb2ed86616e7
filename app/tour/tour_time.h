// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/tour/tour_stage.h"

namespace palimpsest {

/// Scenes about a run's time: a selected moment, a fork that is changed during its run, the branches, and a replay.
/// They need a finished selected run.
class TimeScenes : public TourStage {
public:
    using TourStage::TourStage;
    void take();

private:
    void showMoment();
    void showFork();
    void showBranches();
    void showReplay();
};

}  // namespace palimpsest
