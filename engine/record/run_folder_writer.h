// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "engine/config/option_table.h"
#include "engine/record/checkpoints.h"
#include "engine/record/watched.h"
#include "engine/run/run_events.h"

namespace palimpsest {

class RunFolderFiles;
struct FeatureMoment;

/// Makes a new empty folder in `parent`: the name as a file name, the seed, the moment and, where there is one of that
/// name, also a deleted one, a number. `nameless`: for a name without a letter or digit. Throws Error(Input) where it
/// cannot be made.
std::filesystem::path makeRunFolder(const std::filesystem::path& parent, const std::string& name, std::int64_t seed,
                                    const std::string& nameless);

/// Images and batches that a fork had learned before it began, in its parent; none in any other run.
struct SharedPast {
    std::int64_t images = 0, batches = 0;
};

/// Writes the run folder: append-only CSV files, whose rows are handed to the system with every event, so that they can
/// be read at any moment and a crash of the program loses none; run.json and summary.json are written aside and
/// renamed. Layout: experiment.toml, run.json, anytime.csv, sessions.csv, classes.csv, training.csv, commands.csv,
/// summary.json, with a memory memory.csv, with plateaus of the loss plateaus.csv, with prompts to choose from
/// prompts.csv, with a choice of them or several heads routing.csv, with cross-entropy pushes.csv, with features that
/// the method tells features.csv, with watched test images watched.csv, predictions/ with what each test image was
/// taken for, and for an imported stream stream.json, which experiment.toml then names. A write that fails (full disk)
/// is remembered and thrown by throwIfFailed(), which the run calls at batch borders, after evaluations and at its end.
class RunFolderWriter : public RunObserver {
public:
    /// Makes a fresh folder `parent/NAME-SEED-TIME[-k]`, or `exact` itself when given (must be absent or empty).
    /// Throws Error(Input) when it cannot be written, before any training.
    static std::unique_ptr<RunFolderWriter> create(const OptionTable& table, const Experiment& experiment,
                                                   const std::filesystem::path& parent);
    static std::unique_ptr<RunFolderWriter> createExact(const OptionTable& table, const Experiment& experiment,
                                                        const std::filesystem::path& folder);
    /// Resumes the folder of a run as it was at the mark: what was written behind it is removed. Throws Error(Input)
    /// when that is not there or cannot be written.
    static std::unique_ptr<RunFolderWriter> reopen(const OptionTable& table, const std::filesystem::path& folder,
                                                   const FolderPosition& mark);
    /// Begins a run anew in its own folder, which neverLearned(): what was measured before is removed, its settings and
    /// the user's notes stay. Throws Error(Input) when it cannot be written.
    static std::unique_ptr<RunFolderWriter> restart(const OptionTable& table, const Experiment& experiment,
                                                    const std::filesystem::path& folder);
    /// A new folder, as create() or createExact() make it, that begins with the past of another run up to the mark.
    static std::unique_ptr<RunFolderWriter> branch(const OptionTable& table, const Experiment& experiment,
                                                   const std::filesystem::path& parent,
                                                   const std::filesystem::path& exact,
                                                   const std::filesystem::path& origin, std::int64_t samplesSeen,
                                                   const FolderPosition& mark);
    ~RunFolderWriter() override;

    const std::filesystem::path& folder() const { return folder_; }
    /// Adds to "versions" in run.json, e.g. ("palimpsest", "0.1.0"). Before the run starts.
    void addVersion(const std::string& program, const std::string& version);
    void recordCommand(std::int64_t samplesSeen, const std::string& command, const std::string& argument);
    /// Whether the most probable classes of so many test images are recorded at an evaluation of a stream of `total`
    /// images: those of all evaluations together have a budget.
    bool wantsTopClasses(std::int64_t samplesSeen, std::int64_t testImages, std::int64_t total) const;
    /// Whether features are; of the moment, all but rows and values are asked.
    bool wantsFeatures(const FeatureMoment& moment, std::int64_t total) const;
    /// Features at an evaluation of a stream of `total` images, before onEvaluated(): whoever hears of that finds them.
    void recordFeatures(const FeatureMoment& moment, std::int64_t total);
    /// How sure the learner is of watched test images. Before onEvaluated() of the same moment.
    void recordWatched(std::int64_t samplesSeen, const std::vector<WatchedShare>& shares);
    /// Hash of the run's state at an evaluation, for run.json.
    void addState(std::int64_t samplesSeen, const std::string& hash);
    /// Past that a fork begins with, for run.json. Before onStarted().
    void setSharedPast(const SharedPast& past);
    /// The same, as it was when the fork began. Nothing for a fork that an older version began: its times hold its
    /// parent's, too.
    SharedPast sharedPast() const;
    /// Present extent of the folder; all of it is on the disk when it returns.
    FolderPosition mark();
    /// Reason why something could not be written, without a full stop; empty while all is well. It waits for retry().
    std::string failure() const;
    void retry();
    /// Notes a failure to write a file of the run elsewhere in the program.
    void noteUnwritten(const std::exception& error);
    void throwIfFailed() const;
    /// Removes the folder again: after an abort, or when the run never began.
    void discard();

    void onStarted(const RunStarted&) override;
    /// Only a long wait for a learner is recorded, as long as it lasts.
    void onState(const StateChanged&) override;
    void onUpdate(const UpdateDone&) override;
    void onPlateau(const PlateauFound&) override;
    /// The first 20 are named in run.json, the others counted.
    void onImageLeftOut(const ImageLeftOut&) override;
    void onWarned(const RunWarned&) override;
    /// A row, unless it would repeat the last one. Labels lie below the number of class names.
    void onMemory(const MemoryHeld&) override;
    void onEarlyLook(const EarlyLook&) override;
    void onEvaluated(const Evaluated&) override;
    void onSessionEnded(const SessionEnded&) override;
    /// After a write that failed, the folder says that the run failed, however it ended.
    void onEnded(const RunEnded&) override;

private:
    enum class Start { Fresh, Resumed, Forked };
    RunFolderWriter(std::filesystem::path folder, std::unique_ptr<RunFolderFiles> files, Start start, bool made);
    static std::unique_ptr<RunFolderWriter> open(const OptionTable& table, const Experiment& experiment,
                                                 const std::filesystem::path& folder, bool made);
    static std::unique_ptr<RunFolderWriter> begin(const OptionTable& table, const Experiment& experiment,
                                                  const std::filesystem::path& folder, bool made);

    std::filesystem::path folder_;
    std::unique_ptr<RunFolderFiles> files_;
    Start start_;
    bool made_;  // the folder is ours to remove
    bool ended_ = false;
    bool waits_ = false;  // and run.json says so
};

}  // namespace palimpsest
