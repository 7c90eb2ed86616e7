// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/record/run_folder.h"
#include "engine/sweep/sweep_plan.h"

namespace palimpsest {

/// Result of one run of a sweep.
struct SweepResult {
    RecordedState state = RecordedState::None;  ///< None: not begun
    std::string folder;                         ///< name of its folder; empty: there is none
    std::string error;                          ///< of one that failed or crashed
    Summary summary;                            ///< of one that finished
    std::int64_t threads = 0;                   ///< that it computed with
    std::int64_t parameters = 0;                ///< that the method trained; 0: none, or not known
    std::string precision = {};                 ///< that it computed in; empty: not known
    std::string device = {};                    ///< that it computed on; likewise
    std::string versions = {};                  ///< of the programs that computed it; likewise
    bool changed = false;                       ///< settings were changed while it went on
    /// Models of the processors that it computed on, in order; several: it was continued elsewhere, not bit for bit.
    std::vector<std::string> processors = {};
    bool isContinuedElsewhere() const;
};

/// A run's attempts in `runs` are NAME, NAME-2, NAME-3, ..., each a run folder, a log NAME.log and an experiment
/// NAME.toml. `attempt` counts from 1.
std::string attemptName(const SweepRun& run, int attempt);
/// Of the attempts at a run, the finished one counts, otherwise the last; one of other settings than the plan's does
/// not. One that was evaluated, but whose summary has no A_AUC, counts as failed.
SweepResult readSweepRun(const OptionTable& table, const SweepRun& run, const std::filesystem::path& runs);
/// Gives runs of a plan the names of the folders that they have begun in, where rows or seeds were added to the sweep
/// since then: folders keep the numbers that runs had when they began. A run that has not begun gets a name that none
/// of these has. A plan of one line also keeps the name of the base that they began with. False: a folder that may be
/// that of such a run cannot be read, or not yet.
bool keepRunFolders(const OptionTable& table, SweepPlan& plan, const std::filesystem::path& runs);
/// The first run whose attempts were all made with other settings than the plan's, and the first such setting:
/// "001-tiny-seed-1, training.learning_rate: 0.1 there, 0.01 here". Empty: there is none.
std::string settingsChangedSince(const OptionTable& table, const SweepPlan& plan, const std::filesystem::path& runs);
/// True for a run that was stopped or killed: it may go on.
bool isUnfinished(RecordedState state);
/// Attempts that are unfinished and have a folder to go on in, the newest first.
std::vector<SweepResult> unfinishedAttempts(const OptionTable& table, const SweepRun& run,
                                            const std::filesystem::path& runs);
/// A sentence on why such a run cannot go on; empty: as far as its folder says it can. What only the program that
/// resumes it finds out, such as another build, is not looked at.
std::string obstacleToResuming(const OptionTable& table, const SweepResult& result, const std::filesystem::path& runs);
/// True for the complaint of a program that can never resume that run, rather than not at this moment.
bool refusedForGood(const std::string& complaint);
/// Word of sweep.json: "waiting" for a run that has not begun, else that of run.json.
const char* sweepStateText(RecordedState state);

/// Takes the first name among the run's attempts that is still free, and writes its experiment; of several programs,
/// each gets a name of its own. Throws Error(Input) where nothing can be written.
std::string beginAttempt(const OptionTable& table, const SweepRun& run, const std::filesystem::path& runs);

/// The sentence with which the program in this log complained; empty when it did not.
std::string complaintIn(const std::filesystem::path& log);

/// sweep.json: title, rows, seeds, metrics, prompts, each run with its state, the differences between rows and
/// published numbers. `results` in the order of the plan's runs; `differences`, `published`: JSON lists, from
/// report::sweepDifferencesJson() and report::sweepPublishedJson().
std::string sweepJson(const SweepPlan& plan, const std::vector<SweepResult>& results, const std::string& differences,
                      const std::string& published);

/// Estimate of the time that the rest of a sweep takes, from the times of its finished runs. Rows differ: a batch of
/// one image takes many times longer than one of 64, so each row counts for itself as soon as it can.
class SweepPace {
public:
    struct Running {
        std::size_t line = 0;
        double seconds = 0;  ///< so far
    };

    void finished(std::size_t line, double seconds);
    /// Seconds left; absent until a run has finished. A row of which none has counts like the others. `waiting`: the
    /// lines of runs that have not begun; `jobs` run at once.
    std::optional<double> left(const std::vector<std::size_t>& waiting, const std::vector<Running>& running,
                               int jobs) const;

private:
    struct Sum {
        double seconds = 0;
        int runs = 0;
        double mean() const { return seconds / runs; }
    };
    std::map<std::size_t, Sum> lines_;
    Sum all_;
};

}  // namespace palimpsest
