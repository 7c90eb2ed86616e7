// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/launch.h"

#include <algorithm>
#include <limits>

#include "engine/record/checkpoints.h"
#include "engine/record/resumable.h"

namespace palimpsest {

Experiment ForkOrigin::experimentAt(const OptionTable& table, std::int64_t checkpoint) const {
    return forkedExperiment(table, experiment, changes, checkpoint);
}

std::optional<std::int64_t> ForkOrigin::checkpointFor(std::optional<std::int64_t> moment) const {
    if (checkpoints.empty()) return std::nullopt;
    if (!moment) return checkpoints.front();
    const auto found =
        std::find_if(checkpoints.begin(), checkpoints.end(), [&](std::int64_t each) { return each <= *moment; });
    return found == checkpoints.end() ? checkpoints.back() : *found;
}

ForkOrigin readForkOrigin(const OptionTable& table, const std::filesystem::path& folder) {
    ForkOrigin origin;
    origin.folder = folder;
    origin.experiment = pinnedExperiment(table, folder);
    origin.name = origin.experiment.name;
    origin.checkpoints = forkableCheckpoints(folder);
    // Without checkpoints its changes are not needed.
    if (origin.checkpoints.empty()) {
        origin.ends_only = !listCheckpoints(folder).empty();
        return origin;
    }
    origin.changes = changesSinceBegin(folder);
    // Checked now, while an error can still be shown.
    static_cast<void>(origin.experimentAt(table, std::numeric_limits<std::int64_t>::max()));
    return origin;
}

}  // namespace palimpsest
