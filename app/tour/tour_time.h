// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/tour/tour_stage.h"

namespace palimpsest {

/// The scenes about a run's time: a chosen moment, a fork that is changed on its way, the branches, and a replay. There
/// is a finished run that is selected.
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
