// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace palimpsest {

/// The most runs and sweeps that a queue holds, ended ones included.
inline constexpr std::size_t kMostQueued = 2'000;

enum class QueueState {
    Waiting,   ///< begins, or goes on, as soon as it may
    Held,      ///< waits until the user releases it
    Running,   ///< a program works on it
    Stopping,  ///< it was asked to stop, and will wait or be held
    Finished,
    Failed,  ///< with a sentence
};
/// Word of the file: "waiting", "held", ...
const char* toText(QueueState state);

/// An experiment with one seed, or a whole sweep.
struct QueueJob {
    std::int64_t id = 0;  ///< from 1, never used again in this queue
    std::string name;     ///< of the experiment or the grid, a plain line
    std::int64_t seed = 0;
    /// The experiment file's text, which jobs of several seeds share; null: a sweep.
    std::shared_ptr<const std::string> experiment = {};
    std::filesystem::path grid = {};  ///< a sweep's grid file, absolute
    std::filesystem::path folder;     ///< of the run or the sweep, absolute; decided when it was added, and its truth
    QueueState state = QueueState::Waiting;
    std::string sentence = {};  ///< why it failed, or why it waits
    std::int64_t pid = 0;       ///< of the program that works on it; 0: none is known
    std::string process = {};   ///< see processIdentity()
    double seconds = 0;         ///< that programs have worked on it, without the present one
    std::int64_t began = 0;     ///< when the present program did, in milliseconds of the clock; 0: not known
    std::int64_t starts = 0;    ///< how often one began
    bool resumes = false;       ///< running, but asked to stop by the queue itself: it goes on once it has stopped

    bool isSweep() const { return !experiment; }
    bool ended() const { return state == QueueState::Finished || state == QueueState::Failed; }
    bool working() const { return state == QueueState::Running || state == QueueState::Stopping; }
};

/// What a window queues, in order, as its file holds it.
struct QueueFile {
    std::vector<QueueJob> jobs;
    std::int64_t next = 1;  ///< id of the next job
    int at_once = 1;        ///< runs at the same time, 1..64
    bool paused = false;    ///< nothing new begins
};

inline constexpr int kQueueVersion = 1;
inline constexpr int kMostAtOnce = 64;

/// JSON. Texts of experiments that several jobs share are written once.
std::string formatQueue(const QueueFile& queue);
/// The inverse. `origin` is named in messages. Throws Error(Input) for a damaged
/// text and for one of a newer version, which newerQueue() tells apart.
QueueFile parseQueue(std::string_view text, const std::string& origin);
/// True for the text of a version that this program does not know: it is no damage.
bool newerQueue(std::string_view text);

/// The program that works on a job, as a file beside the job's log names it: a queue that ends before it has written
/// its own file leaves the program there all the same.
struct QueueProgram {
    std::int64_t pid = 0;
    std::string process;           ///< see processIdentity()
    std::filesystem::path folder;  ///< of the job
};
std::string formatQueueProgram(const QueueProgram& program);
/// The inverse; absent for anything else.
std::optional<QueueProgram> parseQueueProgram(std::string_view text);

/// Seeds as people type them: "3", "1-5", "1-3, 7"; in the order given. Throws Error(Input) in one sentence for
/// anything else, for a seed that comes twice, below 0 or above `most`, and for more than 1,000.
std::vector<std::int64_t> parsedSeeds(std::string_view text, std::int64_t most);
/// "1-5, 7": what parsedSeeds() reads.
std::string seedsText(const std::vector<std::int64_t>& seeds);

}  // namespace palimpsest
