// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace palimpsest {

/// Model of this machine's processor, as the system names it ("AMD EPYC 9654 96-Core Processor"): a plain line; empty
/// when the system does not say. Other models may have other vector units, and then other last bits.
std::string processorModel();

/// Place of this process in a job queue.
struct QueueTask {
    std::string id;             ///< of a job, or of a task of an array: "slurm 12", "slurm 12_3"
    std::int64_t restarts = 0;  ///< how often the queue has begun it again
};

/// Absent outside a queue. From the environment that Slurm gives to a job: SLURM_JOB_ID, SLURM_ARRAY_JOB_ID,
/// SLURM_ARRAY_TASK_ID and SLURM_RESTART_COUNT. A queue ends a task before it begins it again, so what an earlier start
/// of the same task wrote has no process any more, on whichever machine it was.
std::optional<QueueTask> queueTask();

}  // namespace palimpsest
