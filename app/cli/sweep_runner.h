// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <vector>

#include "app/cli/child_processes.h"
#include "app/cli/sweep_folder.h"
#include "app/cli/sweep_printer.h"
#include "engine/support/error.h"
#include "engine/sweep/sweep_plan.h"

namespace palimpsest {

/// Throws Error(Input), which names grid and row, when the program of one of these runs (indices in the plan) is
/// missing or the user has not allowed it.
void requireSweepLearners(const OptionTable& table, const SweepPlan& plan, const std::vector<std::size_t>& places,
                          const std::filesystem::path& grid);

/// Checks inputs before anything is written: throws Error(Input), which names grid and row, when programs, weights,
/// prompts or blocks of one of these runs (indices in the plan) do not fit; see experimentCheck(). Weights are read
/// once for each set of backbone options. Prompts that the sweep will make itself are not asked for, but what they are
/// made of is. GivenUp when the thread's StopScope asks for it.
void requireSweepFiles(const OptionTable& table, const SweepPlan& plan, const std::vector<std::size_t>& places,
                       const std::filesystem::path& grid);

/// Runs the unfinished runs of a sweep, several at once, each in its own process, so that the end or crash of one does
/// not affect the others. One that was stopped or killed goes on from its newest checkpoint, to the same bits; where it
/// cannot, since device, precision or build are others, its settings were changed or it kept no checkpoint, this is
/// said and it begins anew.
class SweepRunner {
public:
    struct Settings {
        int jobs = 0;                   ///< at once; 0: as many as suit this machine, with one thread each
        std::vector<std::size_t> runs;  ///< indices in the plan, in the order to start them
        bool tables = true;             ///< write them after each run
        std::filesystem::path grid;     ///< the grid file, for messages
        bool only_prompts = false;      ///< make the prompts of initial sessions, and run nothing
        bool makes_prompts = true;      ///< false: those of the runs must be there
        /// Makes and locks the folder, once all inputs of the runs are known to be valid.
        std::function<void()> begin;
    };

    SweepRunner(const OptionTable& table, const SweepPlan& plan, const SweepFolder& folder, SweepPrinter& printer,
                Settings settings);

    /// Returns the exit code: 1 when a run failed, could not be started or was discarded; without tables, or for
    /// prompts alone, kStoppedCode when it was stopped before they had finished. Throws Error before any run begins,
    /// and with nothing written, when a data set, prompts or weights are missing or do not fit.
    int run();

private:
    using Clock = std::chrono::steady_clock;
    struct Working {
        std::size_t place = 0;
        std::string name;           ///< of folder, log and experiment file
        std::filesystem::path log;  ///< of this process
        bool resumed = false;
        Clock::time_point since;
    };

    /// `again`: there was a second Ctrl-C.
    int exitCode(bool stopped, bool again) const;
    /// Sentence on a second Ctrl-C, which is said after the first.
    std::string secondCtrlC() const;
    void readResults();
    void requireInputs() const;
    void sortRuns();
    /// Runs at once where the user named no number: one a core, as far as memory goes; one at a time on a GPU.
    int suitableJobs() const;
    std::int64_t threadsOf(const SweepRun& run) const;
    /// Makes the prompts that waiting runs begin with and that are not there yet, one after the other. Runs whose
    /// prompts cannot be made are noted as failed.
    void makePrompts(const std::atomic<bool>& stopping);
    void makePrompts(std::size_t prompts, const std::atomic<bool>& stopping);
    bool startNext();
    bool start(std::size_t place);
    /// Goes on with what an earlier call left of a run, if it can: absent where it begins anew. False when no more are
    /// to be started.
    std::optional<bool> resume(std::size_t place);
    bool startProcess(std::size_t place, const std::vector<std::string>& arguments, Working work, std::int64_t threads);
    void noteNotStarted(std::size_t place, const Error& error);
    void recordEnd(const ChildEnd& end, bool stopping);
    std::optional<double> left() const;
    void write();

    const OptionTable& table_;
    const SweepPlan& plan_;
    const SweepFolder& folder_;
    SweepPrinter& printer_;
    Settings settings_;
    std::vector<SweepResult> results_;  ///< of all runs of the plan
    SweepCount count_;                  ///< of settings_.runs
    int jobs_ = 1;                      ///< at once
    std::deque<std::size_t> waiting_;
    /// Attempts that each waiting run may resume, newest first, by the run's place in the plan.
    std::map<std::size_t, std::vector<SweepResult>> unfinished_;
    std::map<pid_t, Working> working_;
    SweepPace pace_;
    bool prompts_failed_ = false;
    bool loses_ = false;            ///< something has ended unfinished that a second Ctrl-C throws away
    bool stopped_outside_ = false;  ///< somebody stopped a run that is a task of a job queue
    ChildProcesses children_;
};

}  // namespace palimpsest
