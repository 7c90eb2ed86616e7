// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/record/forkable.h"

#include <nlohmann/json.hpp>

#include "engine/support/error.h"
#include "engine/support/format.h"

namespace palimpsest {

namespace fs = std::filesystem;

namespace {

constexpr const char* kNoneEarlier = "Fork a run that has one, or start a run of its own.";

/// Left in when that cannot be told: who takes it says why not.
bool mayBeForked(const fs::path& run, std::int64_t samplesSeen) {
    try {
        return !endsStream(readCheckpointRecord(checkpointDescription(run, samplesSeen)));
    } catch (const std::exception&) {
        return true;
    }
}

}  // namespace

bool endsStream(const CheckpointRecord& record) {
    const nlohmann::json notes = nlohmann::json::parse(record.mark.notes, nullptr, false);
    const nlohmann::json run =
        notes.is_object() ? notes.value("run", nlohmann::json::object()) : nlohmann::json::object();
    if (!run.is_object()) return false;
    if (const auto total = run.find("total_samples"); total != run.end() && total->is_number_integer())
        if (const auto samples = total->get<std::int64_t>(); samples > 0 && record.samples_seen >= samples) return true;
    // Images that were left out let a run end before its nominal end.
    const auto starts = run.find("session_starts");
    return starts != run.end() && starts->is_array() && !starts->empty() &&
           record.session >= static_cast<std::int64_t>(starts->size());
}

std::vector<std::int64_t> forkableCheckpoints(const fs::path& run) {
    std::vector<std::int64_t> samples = listCheckpoints(run);
    std::erase_if(samples, [&](std::int64_t each) { return !mayBeForked(run, each); });
    return samples;
}

SoundCheckpoint newestForkableCheckpoint(const fs::path& run) {
    const std::vector<std::int64_t> samples = forkableCheckpoints(run);
    if (samples.empty() && !listCheckpoints(run).empty())
        throw inputError("The run " + run.string() + " has checkpoints at the end of its stream alone, and a fork " +
                             "would learn nothing.",
                         kNoneEarlier);
    return newestSoundCheckpoint(run, samples);
}

CheckpointRecord forkableCheckpoint(const fs::path& run, std::int64_t samplesSeen) {
    CheckpointRecord record = soundCheckpoint(run, samplesSeen);
    if (!endsStream(record)) return record;
    const std::vector<std::int64_t> earlier = forkableCheckpoints(run);
    throw inputError("The checkpoint at " + grouped(samplesSeen) + " samples of " + run.string() +
                         " is the end of its stream, and a fork would learn nothing.",
                     earlier.empty() ? kNoneEarlier
                                     : "Choose an earlier moment: its newest checkpoint before the end is at " +
                                           grouped(earlier.front()) + ".");
}

}  // namespace palimpsest
