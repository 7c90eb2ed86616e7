// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>

#include "ui/state/launch.h"

namespace palimpsest {

class AdaptationJob;
class ForkController;
class LaneDraft;
class RunController;
class TrustJob;
struct WindowState;

/// Start in the window begins a fork that waits, else both lanes while they are compared, else the draft alone. The
/// controller of the runs asks the planner as long as it lives.
class WindowLaunchPlanner : public LaunchPlanner {
    Q_DECLARE_TR_FUNCTIONS(WindowLaunchPlanner)
public:
    WindowLaunchPlanner(WindowState& state, const ForkController& forks, const AdaptationJob& adaptation,
                        const TrustJob& trust);
    ~WindowLaunchPlanner() override;

    Launch planned() const override;
    std::optional<Failure> obstacle(const Launch& launch) const override;

private:
    /// Why lane B cannot start beside lane A.
    std::optional<Failure> laneObstacle() const;

    RunController& controller_;
    const LaneDraft& lane_b_;
    const ForkController& forks_;
    const AdaptationJob& adaptation_;
    const TrustJob& trust_;
};

}  // namespace palimpsest
