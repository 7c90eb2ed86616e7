// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "engine/sweep/slurm_queue.h"

namespace palimpsest {

/// MaxArraySize of this machine's cluster; Slurm's usual one where there is none, or where it does not answer.
std::int64_t clusterArraySize();

/// Submits a batch script; returns the job's number. `after`: number of a job that must have ended well before; empty:
/// none. Throws Error(Input) where Slurm refuses it, with its reason, or is not there.
std::string submitToSlurm(const std::filesystem::path& script, const std::string& after = {});

/// Slurm's tasks for the runs of the sweep in this folder, by the number of the run. Of several tasks of one run the
/// active one counts, else the newest. Empty where the folder has no job scripts or this machine has no Slurm. Throws
/// Error(Run) where Slurm does not answer.
std::map<std::int64_t, SlurmTask> slurmTasks(const std::filesystem::path& folder);

}  // namespace palimpsest
