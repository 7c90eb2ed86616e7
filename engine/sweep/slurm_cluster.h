// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "engine/support/error.h"
#include "engine/sweep/slurm_queue.h"

namespace palimpsest {

/// MaxArraySize of this machine's cluster; Slurm's usual one where there is none, or where it does not answer.
std::int64_t clusterArraySize();

/// Slurm took nothing, and said so.
class SlurmRefusal : public Error {
public:
    SlurmRefusal(const std::string& message, const std::string& hint) : Error(ErrorKind::Input, message, hint) {}
};

/// Submits a batch script; returns the job's number. `after`: number of a job that must have ended well before; empty:
/// none. Throws SlurmRefusal where Slurm refuses it, with its reason, Error(Input) where there is no Slurm.
std::string submitToSlurm(const std::filesystem::path& script, const std::string& after = {});

/// Cancels jobs of this machine's Slurm. Throws Error(Input) where there is no Slurm, Error(Run) where it refuses.
void cancelSlurmJobs(const std::vector<std::string>& jobs);

/// What --slurm, --throttle and --runs-per-task say.
struct SlurmChoice {
    std::string options;
    std::int64_t throttle = 0;  ///< 0: as many tasks as the cluster gives
    std::int64_t runs_per_task = 1;
};
/// Time that submitting may take: plans, checks of data sets and weights, and Slurm itself.
inline constexpr std::chrono::minutes kSubmitPatience{10};
/// Words behind `palimpsest-cli` that submit a grid; its output is then for submittedJobs().
std::vector<std::string> submitWords(const std::string& grid, const std::string& folder, const SlurmChoice& choice);
/// Numbers of the jobs that it submitted, each once; none where all runs have finished.
std::vector<std::string> submittedJobs(const std::string& output);

/// Name of the file in a copy of a sweep that holds what Slurm said of the tasks on the machine that it comes from: see
/// formatListedTasks().
inline constexpr const char* kSlurmNote = ".slurm.jsonl";

/// Slurm's tasks for the runs of the sweep in this folder, by the number of the run. Of several tasks of one run the
/// active one counts, else the newest. Empty where the folder has no job scripts or this machine has no Slurm. Of a
/// copy from another machine, what was noted in it. Throws Error(Run) where Slurm does not answer.
std::map<std::int64_t, SlurmTask> slurmTasks(const std::filesystem::path& folder);
/// True where the folder of a sweep holds a script for Slurm. It stays there when Slurm has refused it.
bool hasSlurmScripts(const std::filesystem::path& folder);
/// Cancels the jobs of this machine's Slurm that were submitted with the scripts in this folder and have not ended.
/// Returns their numbers. Throws Error(Input) where this machine has no Slurm, Error(Run) where it refuses.
std::vector<std::string> cancelInSlurm(const std::filesystem::path& folder);

}  // namespace palimpsest
