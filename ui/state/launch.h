// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/config/option_table.h"
#include "engine/run/live_change.h"
#include "engine/run/run_service.h"
#include "ui/state/engine_text.h"

namespace palimpsest {

/// The draft learns alone.
struct FreshLaunch {
    std::shared_ptr<const Experiment> instead = nullptr;  ///< learns in its place, and the draft stays as it is
};
/// The draft learns, and another experiment in step with it.
struct LanesLaunch {
    Experiment beside;
};
/// The draft continues alone from a checkpoint of another run.
struct ForkLaunch {
    std::filesystem::path parent;
    std::int64_t at = 0;  ///< images seen at the checkpoint
};
/// A run that ended early continues alone from its last checkpoint.
struct ResumeLaunch {
    std::filesystem::path folder;
};
/// A recorded run is played back; nothing learns.
struct ReplayLaunch {
    RunService::Work player;
};
using Launch = std::variant<FreshLaunch, LanesLaunch, ForkLaunch, ResumeLaunch, ReplayLaunch>;

/// Decides which launch Start begins, and which must not begin now.
class LaunchPlanner {
public:
    virtual ~LaunchPlanner() = default;
    /// Fresh, Lanes or Fork: a launch of the draft.
    virtual Launch planned() const = 0;
    /// Reason why this launch must not begin now; nothing: it may.
    virtual std::optional<Failure> obstacle(const Launch& launch) const = 0;
};

/// A run that may be forked, as its folder records it.
struct ForkOrigin {
    std::filesystem::path folder;
    std::string name;                       ///< of its experiment
    Experiment experiment;                  ///< as it began, on the device it had
    std::vector<LiveChange> changes;        ///< that were made on its way
    std::vector<std::int64_t> checkpoints;  ///< images seen, newest first; those that leave something to learn
    bool ends_only = false;                 ///< it has some, but all at the end of its stream

    /// Start of a fork at that checkpoint.
    Experiment experimentAt(const OptionTable& table, std::int64_t checkpoint) const;
    /// The newest checkpoint that is not after the moment, or the oldest where all are later; without a moment the
    /// newest. Absent: the run has none.
    std::optional<std::int64_t> checkpointFor(std::optional<std::int64_t> moment) const;
};

/// Reads files. Throws Error(Input) for a folder that is no run.
ForkOrigin readForkOrigin(const OptionTable& table, const std::filesystem::path& folder);

}  // namespace palimpsest
