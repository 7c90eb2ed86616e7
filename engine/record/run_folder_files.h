// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <optional>
#include <set>

#include "engine/config/option_table.h"
#include "engine/record/checkpoints.h"
#include "engine/record/feature_map.h"
#include "engine/record/memory_balance.h"
#include "engine/record/predictions.h"
#include "engine/record/run_documents.h"
#include "engine/record/watched.h"
#include "engine/run/run_events.h"
#include "engine/support/append_file.h"
#include "engine/support/file_io.h"

namespace palimpsest {

/// The CSV files of a run folder, which only grow; not every run has all of them.
inline constexpr const char* kGrowingFiles[] = {"anytime.csv",  "sessions.csv",    "classes.csv",   "training.csv",
                                                "commands.csv", "early.csv",       "reference.csv", "memory.csv",
                                                "prompts.csv",  kPredictionHashes, "plateaus.csv",  "routing.csv",
                                                "pushes.csv",   kFeatureFile,      kWatchedFile};

/// Open files of a run folder. Nothing throws except where it says so: failures are remembered, and what could not be
/// written waits for retry().
class RunFolderFiles {
public:
    /// Files of a new run.
    RunFolderFiles(const OptionTable& table, std::filesystem::path folder, RunDocument run);
    /// Goes on behind the mark. Throws Error(Input) for a mark that cannot be read or does not fit the folder.
    RunFolderFiles(const OptionTable& table, std::filesystem::path folder, const FolderPosition& mark);

    /// One sentence without a full stop; empty while all is well.
    std::string firstFailure() const;
    void noteFailure(const std::exception& error);
    /// Tries again to write what is waiting.
    void retry();
    /// A loss of power takes nothing of what was recorded before. Failures of the growing files are theirs to tell;
    /// throws Error(Input) where the names cannot be brought there.
    void bringToDisk();
    /// Present extent of the folder, which is on the disk when it returns; throws like bringToDisk().
    FolderPosition mark();
    /// Samples seen at the last update.
    std::int64_t samplesSeen() const { return samples_seen_; }

    /// Content of run.json; writeRun() puts it into the file.
    RunDocument& run() { return run_; }
    const RunDocument& run() const { return run_; }
    /// Throws Error(Input).
    void writeRun();
    void writeRunOrNote();

    /// An imported stream is kept with the run, which can then be repeated wherever its folder goes.
    void writeStream(const Experiment& experiment, const StreamPlan& plan);
    void writeTrueClasses(const TestClasses& list);
    /// A row of commands.csv, on the disk when it returns.
    void addCommand(std::int64_t samplesSeen, const std::string& command, const std::string& argument);
    /// A row of training.csv.
    void addUpdate(const UpdateDone& event);
    /// A row of plateaus.csv.
    void addPlateau(const PlateauFound& event);
    /// A row of memory.csv, unless it would repeat the last one.
    void addMemory(const MemoryHeld& event);
    /// A row of early.csv.
    void addEarlyLook(const EarlyLook& event);
    /// Rows of anytime.csv, reference.csv, routing.csv, classes.csv, prompts.csv and pushes.csv, and a file of
    /// predictions.
    void addEvaluation(const Evaluated& event);
    bool wantsTopClasses(std::int64_t samplesSeen, std::int64_t testImages, std::int64_t total) const;
    bool wantsFeatures(const FeatureMoment& moment, std::int64_t total) const;
    /// Rows of features.csv, where the evaluation is one of those that are recorded.
    void addFeatures(const FeatureMoment& moment, std::int64_t total);
    /// Rows of watched.csv, of the images that have none at this moment.
    void addWatched(std::int64_t samplesSeen, const std::vector<WatchedShare>& shares);
    /// Rows of sessions.csv.
    void addSessionEnd(const SessionEnded& event);
    /// summary.json, for which the reserved room is given up; what has waited is tried again first.
    void writeSummary(const Summary& summary);

private:
    void addReference(const Evaluated& event);
    void addRouting(const Evaluated& event);
    void replaceOrNote(const std::filesystem::path& file, const std::string& content);
    /// A list is a file of its own, whole or not there.
    void writeClasses(const std::filesystem::path& file, const TestClasses& list);
    /// Writes a file of predictions/ and its row in predictions.csv.
    void writeHashed(const std::filesystem::path& file, const std::string& content);
    void noteWatched(std::int64_t samplesSeen, std::int64_t image);
    void addPromptUse(std::int64_t samplesSeen, const std::vector<std::int64_t>& use);
    void addPushes(std::int64_t samplesSeen, const std::vector<ClassPush>& pushes);
    std::vector<AppendFile*> growing();
    std::vector<const AppendFile*> growing() const;

    AppendFile anytime_, sessions_, classes_, training_, commands_;
    DiskReserve reserve_;
    OptionTable table_;
    std::filesystem::path folder_;
    RunDocument run_;
    std::optional<AppendFile> early_;      // of a run that was looked at early
    std::optional<AppendFile> reference_;  // of a run with a nearest class mean beside it
    std::optional<AppendFile> routing_;    // of a run that chooses prompts, or asks several heads
    std::optional<AppendFile> plateaus_;   // of a run that found one
    std::optional<AppendFile> memory_;     // of a run that has one
    std::optional<AppendFile> prompts_;    // of a run that chooses from a pool of them
    std::optional<AppendFile> pushes_;     // of a run that learns by cross-entropy
    std::optional<AppendFile> features_;   // of a run whose method tells the features that its head gets
    FeatureLog feature_log_;
    std::int64_t top_written_at_ = -1;       // samples seen at the last file of most probable classes
    std::optional<AppendFile> watched_;      // of a run with test images that are watched
    std::int64_t watched_at_ = -1;           // samples seen at its last rows
    std::set<std::int64_t> watched_then_;    // and their images
    std::optional<AppendFile> predictions_;  // hashes of the files in predictions/
    std::optional<MemoryBalance> balance_;   // written last
    std::int64_t samples_seen_ = 0, updates_ = 0;
    std::int64_t classes_written_at_ = -1;                  // samples seen at the last rows of classes.csv
    std::map<std::filesystem::path, std::string> waiting_;  // files that could not be written, and their content
    std::string failure_;
};

}  // namespace palimpsest
