// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace palimpsest {

/// Words as a shell would part them: by spaces, unless quoted or behind a backslash. Throws Error(Input) for a quote
/// that is never closed and for line breaks.
std::vector<std::string> shellWords(std::string_view text);

/// Exit code of `sweep --only` and `--only-prompts` for what was asked to stop before it had finished, so that a job
/// queue does not book it as done.
inline constexpr int kStoppedCode = 85;
/// Array size of a Slurm that was not told otherwise (MaxArraySize): indices are smaller.
inline constexpr std::int64_t kUsualArraySize = 1001;

struct SlurmJob {
    std::string name;
    std::vector<std::int64_t> runs;               ///< numbers, rising; none: the prompts of the initial sessions
    std::string options;                          ///< as the user gives them to sbatch
    std::filesystem::path program, grid, folder;  ///< absolute
    std::filesystem::path prompts = {};           ///< folder of prompts, absolute; empty: none was named
    std::int64_t throttle = 0;                    ///< tasks at once; 0: as many as Slurm likes
    std::int64_t runs_per_task = 1;               ///< at once in a task, which share its processors
};

/// Name of one of the scripts: "sweep.sbatch", "sweep-2.sbatch", ... from 0; "prompts.sbatch" without runs.
std::string slurmScriptName(const SlurmJob& job, std::size_t part);

/// The scripts of an array job, or the one that makes the prompts. There are several where an array could not hold all
/// tasks: `arraySize` is the cluster's MaxArraySize. A task's index is the number of its run where every task has one
/// run and all numbers are small enough. Slurm warns a task two minutes before its time is over; the run then writes a
/// checkpoint, and the task asks to be queued again, to go on from there. Options of the user come last, so that they
/// win over ours. Throws Error(Input) for words that are no options, and for --array, which would leave runs out.
std::vector<std::string> slurmScripts(const SlurmJob& job, std::int64_t arraySize = kUsualArraySize);

}  // namespace palimpsest
