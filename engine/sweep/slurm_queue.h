// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace palimpsest {

/// True for what Slurm gives a job as its number: digits, but not without end.
bool isSlurmJobNumber(std::string_view text);

/// A job, or a task of an array, as Slurm tells of it.
struct SlurmTask {
    std::int64_t job = 0;       ///< of the array, or the job's own
    std::int64_t index = -1;    ///< in the array; -1: no array
    std::string state;          ///< "PENDING", "RUNNING", "TIMEOUT", ...: Slurm's word, without what follows it
    std::string reason = {};    ///< why it waits, "Priority"; empty: none
    std::string nodes = {};     ///< where it runs or ran
    std::string script = {};    ///< path of the batch script; sacct does not say it
    std::int64_t restarts = 0;  ///< how often it was begun again; 0 where that is not told

    /// "12_3", "12".
    std::string name() const;
    /// "waiting: Priority", "running on node1, begun again 2 times", "out of time", ...: for people.
    std::string words() const;
    bool active() const;  ///< it runs, waits, or is about to do either
};

/// Tasks in the output of `squeue --json`, of Slurm 21.08 to 24.11, which differ in how they write states and numbers;
/// tasks that wait together are told apart. Unknown parts are skipped. Throws Error(Run) for what is no such output.
std::vector<SlurmTask> parseSqueueJson(const std::string& text);

/// The same of `squeue --noheader --array --format=%F|%K|%T|%r|%N|%o` (kSqueueFormat), where a Slurm was built without
/// JSON. Lines that do not fit are skipped.
inline constexpr const char* kSqueueFormat = "%F|%K|%T|%r|%N|%o";
std::vector<SlurmTask> parseSqueueLines(std::string_view text);

/// Of `sacct --noheader --parsable2 --allocations --format=JobID,State,NodeList` (kSacctFormat). Lines that do not fit
/// are skipped.
inline constexpr const char* kSacctFormat = "JobID,State,NodeList";
std::vector<SlurmTask> parseSacct(std::string_view text);

/// Slurm's tasks by the number of the run, of the lines of `sweep --list --json`. Lines that do not fit are skipped.
std::map<std::int64_t, SlurmTask> parseListedTasks(std::string_view text);
/// The same lines, as far as parseListedTasks() reads them.
std::string formatListedTasks(const std::map<std::int64_t, SlurmTask>& tasks);

/// Numbers of the runs of a task, from the script that slurmScripts() wrote; none where it does not say.
std::vector<std::int64_t> runsOfTask(std::string_view script, std::int64_t index);

/// MaxArraySize in the output of `scontrol show config`; kUsualArraySize where it does not say.
std::int64_t arraySizeIn(std::string_view configuration);

}  // namespace palimpsest
