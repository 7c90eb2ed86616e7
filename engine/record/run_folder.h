// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/config/option_table.h"
#include "engine/record/folder_position.h"
#include "engine/record/memory_balance.h"
#include "engine/run/live_change.h"
#include "engine/run/run_observer.h"

namespace palimpsest {

class RunFolderFiles;

/// What a fork had learned before it began, in its parent; nothing in any other run.
struct SharedPast {
    std::int64_t images = 0, batches = 0;
};

/// Writes the run folder: append-only CSV files, whose rows are handed to the system with every event, so that they can
/// be read at any moment and a crash of the program loses none; run.json and summary.json are written aside and
/// renamed. Layout: experiment.toml, run.json, anytime.csv, sessions.csv, classes.csv, training.csv, commands.csv,
/// summary.json, with a memory memory.csv, with prompts to choose from prompts.csv, predictions/ with what each test
/// image was taken for, and for an imported stream stream.json, which experiment.toml then names. A write that fails
/// (full disk) is remembered and thrown by throwIfFailed(), which the run calls at batch borders, after evaluations and
/// at its end.
class RunFolderWriter : public RunObserver {
public:
    /// Makes a fresh folder `parent/NAME-SEED-TIME[-k]`, or `exact` itself when given (must be absent or empty).
    /// Throws Error(Input) when it cannot be written, before any training.
    static std::unique_ptr<RunFolderWriter> create(const OptionTable& table, const Experiment& experiment,
                                                   const std::filesystem::path& parent);
    static std::unique_ptr<RunFolderWriter> createExact(const OptionTable& table, const Experiment& experiment,
                                                        const std::filesystem::path& folder);
    /// Goes on in the folder of a run as it was at the mark: what was written behind it is taken away. Throws
    /// Error(Input) when that is not there or cannot be written.
    static std::unique_ptr<RunFolderWriter> reopen(const OptionTable& table, const std::filesystem::path& folder,
                                                   const FolderPosition& mark);
    /// A new folder, as create() or createExact() make it, that begins with the past of another run up to the mark.
    static std::unique_ptr<RunFolderWriter> branch(const OptionTable& table, const Experiment& experiment,
                                                   const std::filesystem::path& parent,
                                                   const std::filesystem::path& exact,
                                                   const std::filesystem::path& origin, std::int64_t samplesSeen,
                                                   const FolderPosition& mark);
    ~RunFolderWriter() override;

    const std::filesystem::path& folder() const { return folder_; }
    /// For "versions" in run.json, e.g. ("palimpsest", "0.1.0"). Before the run starts.
    void addVersion(const std::string& program, const std::string& version);
    void recordCommand(std::int64_t samplesSeen, const std::string& command, const std::string& argument);
    /// The run's state at an evaluation, for run.json.
    void addState(std::int64_t samplesSeen, const std::string& hash);
    /// Of a fork that begins, before onStarted(): for run.json.
    void keepShared(const SharedPast& past);
    /// As kept when the fork began. Nothing of one that an older version began: its times hold its parent's, too.
    SharedPast shared() const;
    /// How far the folder is written; all of it is on the disk when it returns.
    FolderPosition mark();
    /// Why something could not be written, without a full stop; empty while all is well. It waits for retry().
    std::string failure() const;
    void retry();
    /// A file that is written elsewhere, and could not be.
    void noteUnwritten(const std::exception& error);
    void throwIfFailed() const;
    /// Abort, or a run that never began: take the folder away again.
    void discard();

    void onStarted(const RunStarted&) override;
    void onUpdate(const UpdateDone&) override;
    /// The first 20 are named in run.json, the others counted.
    void onImageLeftOut(const ImageLeftOut&) override;
    /// A row, unless it would repeat the last one. Labels lie below the number of class names.
    void onMemory(const MemoryHeld&) override;
    void onEvaluated(const Evaluated&) override;
    void onSessionEnded(const SessionEnded&) override;
    /// After a write that failed, the folder says that the run failed, however it ended.
    void onEnded(const RunEnded&) override;

private:
    RunFolderWriter(std::filesystem::path folder, std::unique_ptr<RunFolderFiles> files);
    static std::unique_ptr<RunFolderWriter> open(const OptionTable& table, const Experiment& experiment,
                                                 const std::filesystem::path& folder, bool made);
    std::filesystem::path folder_;
    std::unique_ptr<RunFolderFiles> files_;
};

struct AnytimePoint {
    std::int64_t samples_seen = 0;
    std::int64_t session = 0;
    double accuracy = 0;
    double loss = 0;
    std::int64_t classes_seen = 0;
    std::int64_t updates = 0;
};

struct RetentionPoint {
    std::int64_t after_session = 0;
    std::int64_t session = 0;
    double accuracy = 0;
    std::int64_t samples = 0;
};

/// A run as read back from its folder.
struct RunRecord {
    std::filesystem::path folder;
    Experiment experiment;
    std::string state;  ///< "running", "finished", "stopped", "failed", "crashed"
    std::string error;
    std::string started;              ///< ISO 8601, UTC
    std::string ended;                ///< the same; empty while running and after a crash
    std::filesystem::path parent;     ///< the run it was forked from, wherever that is now; empty: none
    std::int64_t forked_at = -1;      ///< samples seen where it was; -1: nowhere
    std::vector<LiveChange> changes;  ///< made while it went on, in order; `at`: samples seen when they took effect
    std::string fingerprint;
    std::string device;
    std::string precision;
    std::int64_t total_samples = 0;
    std::int64_t samples_learned = 0;          ///< of its last update; not before its last evaluation
    std::int64_t trainable_parameters = 0;     ///< 0: not known
    std::int64_t unreadable_images = 0;        ///< left out
    std::vector<std::int64_t> session_starts;  ///< samples seen when each session begins
    std::vector<std::string> class_names;      ///< by raw label; empty: not known
    std::vector<std::string> class_kinds;      ///< likewise: "disjoint", "blurry", or empty when not known
    std::optional<MemoryBalance> memory;       ///< as recorded last; absent: no memory, or nothing known of it
    std::vector<AnytimePoint> anytime;
    std::vector<RetentionPoint> retention;
    Summary summary;                    ///< of a run without one: A_AUC so far and how many sessions have ended
    std::vector<std::string> warnings;  ///< of this reading: "anytime.csv line 7: ..." (a torn last line is skipped)
};

/// Throws Error(Input) when the folder is not a run. Torn last lines are skipped.
RunRecord readRun(const OptionTable& table, const std::filesystem::path& folder);
/// What readRun() would give as its state, at little cost; empty when the folder is not a run. Never throws.
std::string readRunState(const std::filesystem::path& folder);
/// Folders below `parent` (one level) that hold a run, newest first. Never throws.
std::vector<std::filesystem::path> findRuns(const std::filesystem::path& parent);
/// $PALIMPSEST_RUNS, or XDG_DATA_HOME/palimpsest/runs.
std::filesystem::path defaultRunsFolder();

}  // namespace palimpsest
