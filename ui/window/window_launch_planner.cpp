// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/window_launch_planner.h"

#include "ui/pretrained/adaptation_job.h"
#include "ui/runs/trust_job.h"
#include "ui/state/key_names.h"
#include "ui/state/window_state.h"
#include "ui/timeline/fork_controller.h"

namespace palimpsest {

WindowLaunchPlanner::WindowLaunchPlanner(WindowState& state, const ForkController& forks,
                                         const AdaptationJob& adaptation, const TrustJob& trust)
    : controller_(state.controller), lane_b_(state.lane_b), forks_(forks), adaptation_(adaptation), trust_(trust) {
    controller_.setPlanner(this);
}

WindowLaunchPlanner::~WindowLaunchPlanner() {
    controller_.setPlanner(nullptr);
}

Launch WindowLaunchPlanner::planned() const {
    if (const auto fork = forks_.launch()) return *fork;
    if (lane_b_.on()) return LanesLaunch{lane_b_.experiment()};
    return FreshLaunch();
}

std::optional<Failure> WindowLaunchPlanner::obstacle(const Launch& launch) const {
    if (std::holds_alternative<ReplayLaunch>(launch)) return std::nullopt;
    if (const auto busy = adaptation_.obstacle()) return busy;
    if (const auto busy = trust_.obstacle()) return busy;
    if (std::holds_alternative<ForkLaunch>(launch)) return forks_.obstacle();
    if (std::holds_alternative<LanesLaunch>(launch)) return laneObstacle();
    return std::nullopt;
}

std::optional<Failure> WindowLaunchPlanner::laneObstacle() const {
    if (const QString why = lane_b_.refusal(); !why.isEmpty())
        return Failure{tr("Not started: a field of lane B shows a text that was not taken."), why};
    if (lane_b_.differences().empty())
        return Failure{tr("Lane B is the same as lane A, so there is nothing to compare."),
                       KeyNames::instance().filled(
                           tr("Change one thing in lane B, such as its mask, and press {startRun} again."))};
    if (!lane_b_.problems().isEmpty())
        return Failure{tr("Lane B cannot start: %1").arg(lane_b_.problems().front()),
                       KeyNames::instance().filled(tr("Change that setting in lane B and press {startRun} again."))};
    return std::nullopt;
}

}  // namespace palimpsest
