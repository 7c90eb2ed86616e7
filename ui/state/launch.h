// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <variant>

#include "engine/config/experiment.h"
#include "engine/run/run_service.h"
#include "ui/state/failure.h"

namespace palimpsest {

/// The draft learns alone.
struct FreshLaunch {};
/// The draft learns, and another experiment in step with it.
struct LanesLaunch {
    Experiment beside;
};
/// The draft goes on alone from a checkpoint of another run.
struct ForkLaunch {
    std::filesystem::path parent;
    std::int64_t at = 0;  ///< images seen at the checkpoint
};
/// A run that ended early goes on alone from its last checkpoint.
struct ResumeLaunch {
    std::filesystem::path folder;
};
/// A recorded run is played back; nothing learns.
struct ReplayLaunch {
    RunService::Work player;
};
using Launch = std::variant<FreshLaunch, LanesLaunch, ForkLaunch, ResumeLaunch, ReplayLaunch>;

/// Decides what Start begins, and what must not begin now.
class LaunchPlanner {
public:
    virtual ~LaunchPlanner() = default;
    /// Fresh, Lanes or Fork: a launch of the draft.
    virtual Launch planned() const = 0;
    /// Why this launch must not begin now; nothing: it may.
    virtual std::optional<Failure> obstacle(const Launch& launch) const = 0;
};

}  // namespace palimpsest
