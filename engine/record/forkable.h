// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "engine/record/checkpoint_record.h"

namespace palimpsest {

/// Nothing of its run's stream is left to learn behind it.
bool endsStream(const CheckpointRecord& record);

/// As listCheckpoints(), less those at the end of the stream: a fork of them would learn nothing. Never throws.
std::vector<std::int64_t> forkableCheckpoints(const std::filesystem::path& run);

/// The newest of these that is whole. Throws Error(Input) when there is none.
SoundCheckpoint newestForkableCheckpoint(const std::filesystem::path& run);

/// As soundCheckpoint(). Throws Error(Input) also for one at the end of the stream.
CheckpointRecord forkableCheckpoint(const std::filesystem::path& run, std::int64_t samplesSeen);

}  // namespace palimpsest
