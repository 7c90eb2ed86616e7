// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace palimpsest {

/// Extent of a run folder at one moment, from which another process can resume.
struct FolderPosition {
    std::map<std::string, std::int64_t> lengths;  ///< of the files that only grow, in bytes, by name
    std::map<std::string, std::string> hashes{};  ///< SHA-256 of so many bytes of each; none in older checkpoints
    std::string notes;                            ///< further facts of the writer: a JSON object
    bool operator==(const FolderPosition&) const = default;
};

/// Facts in which a run that continues from a checkpoint must agree: plain names or option keys, and their values.
using CheckpointFacts = std::map<std::string, std::string>;

/// A checkpoint as its description says it: `checkpoints/NNNNNNNN.json` beside the tensors in NNNNNNNN.safetensors, the
/// number being that of the samples seen. The description is written last, so one that is there was complete.
struct CheckpointRecord {
    std::int64_t samples_seen = 0;
    std::int64_t session = 0;  ///< of the next batch, from 0; the number of sessions at the end of the run
    std::int64_t batches = 0, updates = 0;
    std::int64_t bytes = 0;                    ///< of the tensors' file
    std::string state_hash;                    ///< SHA-256 of the state, whatever else the file says
    std::string checksum;                      ///< SHA-256 of the tensors' file
    std::string written;                       ///< ISO 8601, UTC
    double seconds = 0, training_seconds = 0;  ///< that the run had taken, pauses not included
    FolderPosition mark;
    CheckpointFacts facts;
};

std::filesystem::path checkpointsFolder(const std::filesystem::path& run);
std::filesystem::path checkpointTensors(const std::filesystem::path& run, std::int64_t samplesSeen);
std::filesystem::path checkpointDescription(const std::filesystem::path& run, std::int64_t samplesSeen);

/// Throws Error(Input) when it cannot be written.
void writeCheckpointRecord(const std::filesystem::path& run, const CheckpointRecord& record);
/// Throws Error(Input) for a file that is missing or no description of a checkpoint.
CheckpointRecord readCheckpointRecord(const std::filesystem::path& file);

/// Words of an Error that a run cannot be resumed for good: with another device, precision or build than it began with,
/// and without a sound checkpoint.
inline constexpr const char* kUnlikeItBegan = "cannot be resumed as it began";
inline constexpr const char* kNoCheckpoint = "has no checkpoint to go on from";

/// Samples seen of the checkpoints whose description is there, newest first. Throws Error(Input) where their folder
/// cannot be read: a run whose checkpoints cannot be seen is not one without any.
std::vector<std::int64_t> listCheckpoints(const std::filesystem::path& run);

/// SHA-256 of the growing files of a run by name and length, where they are known already.
using GrowingHashes = std::map<std::string, std::map<std::int64_t, std::string>>;
/// Those of all lengths that the checkpoints recorded hashes of, each file read once.
GrowingHashes growingHashes(const std::filesystem::path& run, const std::vector<CheckpointRecord>& records);
/// Reason why resuming from the checkpoint would not give the run's own numbers; empty when it would: a file of tensors
/// that is not as it was written, or a growing file that is not, up to the checkpoint, or has lost its end.
std::string checkpointDamage(const std::filesystem::path& run, const CheckpointRecord& record,
                             const GrowingHashes& known = {});
/// The parts of it: of a growing file, and of the file of tensors.
std::string growingFileDamage(const std::filesystem::path& run, const CheckpointRecord& record, const std::string& name,
                              const GrowingHashes& known = {});
std::string tensorDamage(const std::filesystem::path& run, const CheckpointRecord& record);

struct SoundCheckpoint {
    CheckpointRecord record;
    std::vector<std::string> passed_over;  ///< newer ones, in words: "the checkpoint at 4000 samples: ..."
};
/// The newest that is whole. Throws Error(Input) when there is none.
SoundCheckpoint newestSoundCheckpoint(const std::filesystem::path& run);
/// The same among these alone, which come newest first.
SoundCheckpoint newestSoundCheckpoint(const std::filesystem::path& run, const std::vector<std::int64_t>& among);

/// Sentence that names the checkpoints next to a moment.
std::string checkpointsNear(const std::filesystem::path& run, std::int64_t samplesSeen);

/// Throws Error(Input) when it is damaged, not there, or no description.
CheckpointRecord soundCheckpoint(const std::filesystem::path& run, std::int64_t samplesSeen);

/// Differences between the facts, in words; empty when they agree.
std::string factDifferences(const CheckpointFacts& saved, const CheckpointFacts& now);

/// True when nothing of its run's stream is left to learn behind the checkpoint.
bool endsStream(const CheckpointRecord& record);

/// Checkpoints of listCheckpoints() less those at the end of the stream: a fork of them would learn nothing.
/// Throws as that does.
std::vector<std::int64_t> forkableCheckpoints(const std::filesystem::path& run);

/// The newest of these that is whole. Throws Error(Input) when there is none.
SoundCheckpoint newestForkableCheckpoint(const std::filesystem::path& run);

/// The same as soundCheckpoint(). Throws Error(Input) also for a checkpoint at the end of the stream.
CheckpointRecord forkableCheckpoint(const std::filesystem::path& run, std::int64_t samplesSeen);

struct KeptCheckpoint {
    std::int64_t samples_seen = 0;
    std::int64_t bytes = 0;
};

/// Checkpoints to give up so that the rest takes at most `budget` bytes: one after another the one that leaves the
/// smallest gap for its age, so that they lie the denser the newer they are. The newest two always stay, the second in
/// case that the first is damaged. `kept`: oldest first. Returns samples seen.
std::vector<std::int64_t> thinnedOut(std::vector<KeptCheckpoint> kept, std::int64_t budget);
/// Removes those of a run's folder. What cannot be listed or removed stays. Never throws.
void thinCheckpoints(const std::filesystem::path& run, std::int64_t budget);
/// Removes the checkpoints beyond `samplesSeen`: what they describe is going to be learned anew.
void dropCheckpointsAfter(const std::filesystem::path& run, std::int64_t samplesSeen);

}  // namespace palimpsest
