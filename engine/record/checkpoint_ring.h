// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace palimpsest {

struct KeptCheckpoint {
    std::int64_t samples_seen = 0;
    std::int64_t bytes = 0;
};

/// Which checkpoints to give up so that the rest takes at most `budget` bytes: one after another the one that leaves
/// the smallest gap for its age, so that they lie the denser the newer they are. The newest two always stay, the second
/// in case that the first is damaged. `kept`: oldest first. Returns samples seen.
std::vector<std::int64_t> thinnedOut(std::vector<KeptCheckpoint> kept, std::int64_t budget);

/// Does that in a run's folder. What cannot be removed stays.
void thinCheckpoints(const std::filesystem::path& run, std::int64_t budget);
/// Takes away those beyond `samplesSeen`: what they describe is going to be learned anew.
void dropCheckpointsAfter(const std::filesystem::path& run, std::int64_t samplesSeen);

}  // namespace palimpsest
