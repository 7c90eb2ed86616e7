// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/sweep_needs.h"
#include "engine/sweep/slurm_queue.h"
#include "engine/sweep/sweep_results.h"

namespace palimpsest {

/// Progress of a sweep.
struct SweepCount {
    std::int64_t runs = 0;
    std::int64_t finished = 0;
    std::int64_t failed = 0;  ///< or crashed, or stopped by another program
    std::int64_t remaining() const { return runs - finished - failed; }
};

/// True for a run that failed or crashed, and is not being computed.
bool hasFailed(const SweepResult& result);

/// Prints a sweep on standard output: a line for each ended run, or one JSON object for each event.
class SweepPrinter {
public:
    SweepPrinter(const SweepPlan& plan, std::filesystem::path folder, bool json)
        : plan_(plan), folder_(std::move(folder)), json_(json) {}

    /// `jobs` 0: nothing is left to run; `threads` 0: not the same for all.
    void begins(const SweepCount& count, int jobs, std::int64_t threads) const;
    /// `resumed`: it goes on from a checkpoint in that folder.
    void runBegins(const SweepRun& run, const std::string& folder, std::int64_t threads, bool resumed) const;
    /// Prints a run that was not finished in that folder and cannot go on there; `reason`: a sentence.
    void notResumed(const SweepRun& run, const std::string& folder, const std::string& reason) const;
    /// `log` is empty for a run that could not be started.
    void runEnded(const SweepRun& run, const SweepResult& result, const std::string& log, double seconds,
                  const SweepCount& count, const std::optional<double>& left) const;
    /// Prints a run that another program is computing.
    void elsewhere(const SweepRun& run, const SweepResult& result) const;
    /// `results`: for the errors of failed runs. `tables`: true if they were written.
    void ends(const std::vector<SweepResult>& results, const SweepCount& count, bool stopped, bool tables) const;

    /// Everything that is not there, before anything is started: on standard error, as JSON on standard output.
    void missing(const std::vector<SweepNeed>& needs) const;
    void promptsBegin(const SweepPrompts& prompts, const std::filesystem::path& file) const;
    /// `error`: empty where they were made.
    void promptsEnded(const SweepPrompts& prompts, const std::filesystem::path& file, const std::string& error,
                      double seconds) const;

    /// `results`: absent where no folder is named; `tasks`: what a job queue says of runs, by number.
    void list(const std::vector<SweepResult>* results, const std::map<std::int64_t, SlurmTask>& tasks = {}) const;

private:
    std::string named(const SweepRun& run) const;

    const SweepPlan& plan_;
    const std::filesystem::path folder_;
    const bool json_;
};

}  // namespace palimpsest
