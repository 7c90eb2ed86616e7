// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/config/option_table.h"
#include "engine/record/run_bytes.h"
#include "engine/record/run_folder.h"
#include "engine/support/file_lock.h"
#include "engine/sweep/queue_file.h"

namespace palimpsest {

// The work on a queue's jobs: each is done by a `palimpsest-cli` of its own, so its numbers are those of the command
// line. What became of a job is read from its folder, never from what this program remembers: programs that were
// started live on when the one that started them crashes, and are found again.

struct QueueWorkplace {
    std::filesystem::path program;  ///< palimpsest-cli
    std::filesystem::path papers;   ///< folder of the experiment files and logs of jobs
    std::int64_t threads = 0;       ///< for a run that names none; 0: as many as it likes
};

/// What an attempt to begin a job came to.
struct QueueBegun {
    std::int64_t pid = 0;  ///< 0 and no `ended`: another program works on its folder already
    std::string process = {};
    std::optional<QueueState> ended = {};  ///< nothing was begun: its folder says that it has ended
    std::string sentence = {};
};

/// Begins a job, or goes on with what its folder holds: a run that was stopped or killed from its newest checkpoint, a
/// sweep with the runs that are missing. Throws Error where no program can be started.
QueueBegun beginJob(const OptionTable& table, const QueueJob& job, const QueueWorkplace& place);

/// The program of the job's latest start, where it still works: for a job whose pid is not known, as its queue ended
/// before it could write it. `pid` is 0 where there is none. Never throws.
QueueBegun programAtWork(const QueueJob& job, const QueueWorkplace& place);

/// How a job stands while a program works on it, or what it came to.
struct QueueLook {
    bool working = false;
    double share = 0;                          ///< learned of the stream, or of all streams of the sweep; 0..1
    QueueState outcome = QueueState::Running;  ///< Finished, Failed, or Waiting: it was stopped or killed and may go on
    bool killed = false;                       ///< of Waiting: nobody asked it to stop
    std::int64_t last_sign = 0;  ///< when its folder last changed, in milliseconds of the clock; 0: unknown
    std::string sentence = {};
    std::optional<LearnerWait> wait = {};  ///< of a run that works: its learner does not answer
};

/// Reads the folder. Reaps the program if it is a child of this one. Never throws.
QueueLook lookAtJob(const OptionTable& table, const QueueJob& job, const QueueWorkplace& place);

/// Asks the program that works on a job to stop at its next batch and to keep what it learned; the program is not
/// waited for. Asked again, a second or more later, it ends a learner that does not answer; the newest checkpoint
/// stays.
void askToStop(const QueueJob& job);

/// Runs a program with these words until it has ended, both outputs into a file that is emptied first. Its exit code,
/// 128 and the number of a signal that ended it. Absent: `stop` was asked for; then the program was asked to end and
/// waited for. It does not outlive the thread that called this. Throws Error(Run) where it cannot be started.
std::optional<int> runQueueProgram(const std::filesystem::path& program, const std::vector<std::string>& words,
                                   const std::filesystem::path& output, const std::stop_token& stop);

/// What the numbers of `sweep --estimate --json` say of a sweep.
struct SweepEstimate {
    double seconds = 0;                           ///< one run after the other, on this machine
    std::int64_t runs = 0, memory = 0, disk = 0;  ///< bytes: of a run, and of all that runs usually keep
    std::int64_t missing = 0;                     ///< data sets, weights and prompts that are not here
    std::vector<std::string> needs = {};          ///< a sentence each, of those
    double shared_load = 0;                       ///< of the processor, where others used it meanwhile; else 0
    RunBytes parts = {};                          ///< of `disk`; nothing where they are not told
};
/// Reads its output; absent where that holds none, as after a complaint.
std::optional<SweepEstimate> parseEstimate(std::string_view output);

/// Log of the job's latest program.
std::filesystem::path queueLog(const QueueJob& job, const QueueWorkplace& place);

/// A folder for a run in `runs`: "misa-seed-1", or with a number behind it where something is there or `taken` says so.
std::filesystem::path freshQueueFolder(const std::filesystem::path& runs, const std::string& name, std::int64_t seed,
                                       const std::function<bool(const std::filesystem::path&)>& taken);

/// Holds the queue's folder for this program alone, until it is destroyed or the program ends.
class QueueLock {
public:
    /// Makes the folder where it is missing. Null where another program has the queue; throws Error(Input) where
    /// nothing can be written there.
    static std::unique_ptr<QueueLock> take(const std::filesystem::path& folder);

private:
    explicit QueueLock(FileLock lock) : lock_(std::move(lock)) {}

    const FileLock lock_;
};

}  // namespace palimpsest
