// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/queue_work.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstring>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "engine/config/experiment_file.h"
#include "engine/record/run_folder.h"
#include "engine/support/child_process.h"
#include "engine/support/error.h"
#include "engine/support/file_io.h"
#include "engine/support/file_lock.h"
#include "engine/support/format.h"
#include "engine/support/json.h"
#include "engine/support/process.h"
#include "engine/support/text.h"
#include "engine/sweep/sweep_results.h"

namespace palimpsest {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds kStopLook{100};  // between two looks whether a program is to be stopped
constexpr std::chrono::seconds kStopPatience{20};    // before a program that does not stop is killed

Error cannotBegin(const fs::path& program, int reason) {
    return runError("Cannot start " + program.string() + ": " + std::strerror(reason) + ".",
                    "Install palimpsest-cli beside the program, or make room for one more process.");
}

fs::path paperOf(const QueueJob& job, const QueueWorkplace& place, const char* ending) {
    return place.papers / (std::to_string(job.id) + "-" + std::to_string(job.starts) + ending);
}

/// A process group of its own: the terminal's Ctrl-C and hang-up are for the window, which asks its programs to stop.
std::unique_ptr<ChildProcess> startProgramIn(const fs::path& program, std::vector<std::string> words,
                                             const fs::path& log, int endSignal = 0) {
    words.insert(words.begin(), program.string());
    const ChildFile input("/dev/null", O_RDONLY);
    const ChildFile output(log, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW);
    for (const ChildFile* file : {&input, &output})
        if (file->problem() != 0) throw cannotBegin(program, file->problem());
    auto child = std::make_unique<ChildProcess>(ChildStart{.words = std::move(words),
                                                           .input = input.number(),
                                                           .output = output.number(),
                                                           .errors = output.number(),
                                                           .usual_signals = {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGCHLD},
                                                           .end_signal = endSignal});
    if (child->problem() != 0) throw cannotBegin(program, child->problem());
    return child;
}

struct ProgramEnd {
    bool working = false;
    std::optional<int> code = {};  ///< absent: not known, or a signal
    std::string words = "an unknown exit code";
};

ProgramEnd endOf(const QueueJob& job) {
    if (job.pid <= 0) return {readRunState(job.folder) == RecordedState::Running, {}};
    const ChildLook look = lookAtChild(static_cast<pid_t>(job.pid));
    // Of an earlier program, or the desktop reaps children by itself.
    if (!look.ours) return {processAlive(static_cast<long>(job.pid), job.process), {}};
    if (!look.end) return {true, {}};
    return {false, look.end->killed ? std::nullopt : std::optional(look.end->code), look.end->text()};
}

/// Count of the runs in sweep.json, which the program that works on a sweep writes after each run.
struct SweepCount {
    std::size_t all = 0, finished = 0, failed = 0;
    std::size_t running = 0;      ///< as the list says: of a program that was killed, they are not any more
    std::set<std::int64_t> done;  ///< numbers of those that have finished
    std::string error;            ///< of the first that failed

    /// `more`: what the others have learned, in runs.
    double share(double more = 0) const {
        return all > 0 ? std::min(1.0, (static_cast<double>(finished) + more) / static_cast<double>(all)) : 0;
    }
};

SweepCount countSweep(const fs::path& folder) {
    SweepCount count;
    std::error_code ignored;
    if (!fs::exists(folder / "sweep.json", ignored)) return count;
    const auto json =
        parsedJson<nlohmann::json>(readTextFile(folder / "sweep.json", FilePlace::InFolder, file_limit::kDocument));
    const auto runs = json.is_object() ? json.find("runs") : json.end();
    if (!json.is_object() || runs == json.end() || !runs->is_array()) return count;
    for (const auto& run : *runs) {
        ++count.all;
        const std::string state = run.is_object() && run.contains("state") && run["state"].is_string()
                                      ? run["state"].get<std::string>()
                                      : std::string();
        if (state == toText(RecordedState::Finished)) {
            ++count.finished;
            if (run.contains("number") && run["number"].is_number_integer())
                count.done.insert(run["number"].get<std::int64_t>());
        }
        if (state == toText(RecordedState::Running)) ++count.running;
        if (state != toText(RecordedState::Failed) && state != toText(RecordedState::Crashed)) continue;
        ++count.failed;
        if (count.error.empty() && run.contains("error") && run["error"].is_string())
            count.error = plainSentence(run["error"].get<std::string>());
    }
    return count;
}

/// Whether a sweep's program was stopped or killed before it came to the end of its runs.
bool endedEarly(const SweepCount& count, const ProgramEnd& end, const std::string& complaint) {
    const std::size_t left = count.all - count.finished - count.failed;
    if (left == 0) return false;
    if (!end.code || *end.code == 0) return true;
    // It tells of the failed ones with 1, stopped or not. Nothing waits behind its end but for a stop; what is running
    // then is another program's.
    return *end.code == 1 && complaint.empty() && left > count.running;
}

QueueLook sweepOutcome(const QueueJob& job, const ProgramEnd& end, const std::string& complaint) {
    const SweepCount count = countSweep(job.folder);
    QueueLook look;
    look.share = count.share();
    // Wrong input: nothing was done, and sweep.json tells of an earlier time.
    if (!complaint.empty() && end.code.value_or(2) == 2) {
        look.outcome = QueueState::Failed;
        look.sentence = complaint;
    } else if (count.all > 0 && count.finished == count.all) {
        look.outcome = QueueState::Finished;
    } else if (endedEarly(count, end, complaint)) {
        look.outcome = QueueState::Waiting;
        look.killed = !end.code;
    } else if (count.failed > 0) {
        look.outcome = QueueState::Failed;
        look.sentence = grouped(static_cast<std::int64_t>(count.failed)) + " of " +
                        grouped(static_cast<std::int64_t>(count.all)) + " runs failed. " + count.error;
    } else if (end.code == 0 || !end.code) {
        look.outcome = QueueState::Waiting;
        look.killed = end.code != 0;
    } else {
        look.outcome = QueueState::Failed;
        look.sentence = complaint.empty() ? "It ended with " + end.words + "." : complaint;
    }
    return look;
}

QueueLook runOutcome(const OptionTable& table, const QueueJob& job, const ProgramEnd& end,
                     const std::string& complaint) {
    QueueLook look;
    const RecordedState state = readRunState(job.folder);
    switch (state) {
        case RecordedState::Finished:
        case RecordedState::Imported:
            look.outcome = QueueState::Finished;
            look.share = 1;
            return look;
        case RecordedState::Stopped:
        case RecordedState::Crashed:
            // It could not go on.
            if (!complaint.empty() && end.code.value_or(0) != 0) break;
            look.outcome = QueueState::Waiting;
            look.killed = state == RecordedState::Crashed;
            if (look.killed) look.sentence = "It ended without a word: killed, or the machine went down.";
            return look;
        case RecordedState::Failed:
            look.sentence = readRun(table, job.folder).error;
            break;
        case RecordedState::Running:
            look.working = true;
            return look;
        case RecordedState::None:
        case RecordedState::Unknown:
            break;
    }
    look.outcome = QueueState::Failed;
    if (look.sentence.empty()) look.sentence = complaint.empty() ? "It ended with " + end.words + "." : complaint;
    if (state == RecordedState::None && complaint.empty()) {
        // It was asked to stop before it began, or taken away with the machine.
        look.outcome = QueueState::Waiting;
        look.killed = true;
        look.sentence = "It ended with " + end.words + " before it began.";
    }
    return look;
}

/// The newest time at which something was written for the job.
std::int64_t lastSignOf(const QueueJob& job, const QueueWorkplace& place) {
    std::int64_t newest = 0;
    for (const fs::path& file : {job.folder / "run.json", job.folder / "anytime.csv", job.folder / "training.csv",
                                 job.folder / "sweep.json", paperOf(job, place, ".log")}) {
        struct stat status {};
        if (lstat(file.c_str(), &status) == 0)
            newest = std::max<std::int64_t>(
                newest, std::int64_t{status.st_mtim.tv_sec} * 1000 + status.st_mtim.tv_nsec / 1'000'000);
    }
    return newest;
}

double learnedShare(const OptionTable& table, const fs::path& folder) {
    const RunRecord record = readRun(table, folder);
    if (record.total_samples <= 0) return 0;
    return std::clamp(static_cast<double>(record.samples_learned) / static_cast<double>(record.total_samples), 0.0,
                      1.0);
}

/// What the runs that have not finished learned so far, in runs; of several attempts at one, the furthest counts.
double learnedMeanwhile(const OptionTable& table, const fs::path& runs, const std::set<std::int64_t>& done) {
    std::map<std::int64_t, double> shares;
    std::error_code error;
    for (fs::directory_iterator entry(runs, error), end; !error && entry != end; entry.increment(error)) {
        // "003-batch-mask-seed-1": the run's number.
        const std::string name = entry->path().filename().string();
        std::int64_t number = 0;
        if (std::from_chars(name.data(), name.data() + name.size(), number).ec != std::errc() || done.contains(number))
            continue;
        const RecordedState state = readRunState(entry->path());
        // The list is written a moment after a run has finished.
        if (state == RecordedState::Finished) shares[number] = 1;
        if (state != RecordedState::Running && !isUnfinished(state)) continue;
        try {
            shares[number] = std::max(shares[number], learnedShare(table, entry->path()));
        } catch (const Error&) {
            // It is being written; the next look reads it again.
            continue;
        }
    }
    double sum = 0;
    for (const auto& [number, share] : shares) sum += share;
    return sum;
}

double shareOf(const OptionTable& table, const QueueJob& job) {
    if (!job.isSweep()) return readRunState(job.folder) == RecordedState::None ? 0 : learnedShare(table, job.folder);
    const SweepCount count = countSweep(job.folder);
    return count.share(count.all > count.finished ? learnedMeanwhile(table, job.folder / "runs", count.done) : 0);
}

}  // namespace

std::optional<int> runQueueProgram(const fs::path& program, const std::vector<std::string>& words,
                                   const fs::path& output, const std::stop_token& stop) {
    if (stop.stop_requested()) return std::nullopt;
    const auto child = startProgramIn(program, words, output, SIGTERM);
    while (!child->hasEnded(kStopLook)) {
        if (!stop.stop_requested()) continue;
        // It puts its scratch files away.
        kill(child->pid(), SIGTERM);
        if (!child->hasEnded(kStopPatience)) child->kill();
        child->wait();
        return std::nullopt;
    }
    return child->wait().exitCode();
}

std::optional<SweepEstimate> parseEstimate(std::string_view output) {
    std::optional<SweepEstimate> found;
    std::vector<std::string> needs;
    for (std::size_t begin = 0; begin < output.size();) {
        const std::size_t end = std::min(output.find('\n', begin), output.size());
        const auto json = parsedJson<nlohmann::json>(output.substr(begin, end - begin));
        begin = end + 1;
        if (!json.is_object()) continue;
        const auto text = [&](const char* key) {
            const auto at = json.find(key);
            return at != json.end() && at->is_string() ? plainSentence(at->get<std::string>()) : std::string();
        };
        const auto number = [&](const char* key) {
            const auto at = json.find(key);
            return at != json.end() && at->is_number() ? std::clamp(at->get<double>(), 0.0, 9e15) : 0.0;
        };
        const std::string event = text("event");
        if (event == "missing" && !text("problem").empty())
            needs.push_back(text("problem") + (text("remedy").empty() ? "" : " " + text("remedy")));
        if (event != "estimate") continue;
        found = SweepEstimate{number("seconds"),
                              static_cast<std::int64_t>(number("runs")),
                              static_cast<std::int64_t>(number("memory_bytes")),
                              static_cast<std::int64_t>(number("disk_bytes")),
                              static_cast<std::int64_t>(number("missing")),
                              {},
                              number("shared_load"),
                              bytesIn(json.value("disk_parts", nlohmann::json()))};
    }
    if (found) found->needs = std::move(needs);
    return found;
}

fs::path queueLog(const QueueJob& job, const QueueWorkplace& place) {
    return paperOf(job, place, ".log");
}

QueueBegun beginJob(const OptionTable& table, const QueueJob& job, const QueueWorkplace& place) {
    std::error_code error;
    fs::create_directories(place.papers, error);
    if (error)
        throw inputError("Cannot make the folder " + place.papers.string() + ": " + error.message() + ".",
                         "Make room, or see to it that you may write there.");
    // A window that ended at this point of an earlier time did not write that it had begun.
    if (QueueBegun earlier = programAtWork(job, place); earlier.pid > 0) return earlier;
    std::vector<std::string> words;
    if (job.isSweep()) {
        words = {"sweep", job.grid.string(), "--out", job.folder.string()};
    } else {
        switch (readRunState(job.folder)) {
            case RecordedState::Finished:
            case RecordedState::Imported:
                return {0, {}, QueueState::Finished, {}};
            case RecordedState::Running:
                return {};
            case RecordedState::Failed:
                return {0, {}, QueueState::Failed, readRun(table, job.folder).error};
            case RecordedState::Stopped:
            case RecordedState::Crashed:
                words = {"run", "--resume", job.folder.string()};
                break;
            case RecordedState::None:
            case RecordedState::Unknown: {
                const fs::path file = place.papers / (std::to_string(job.id) + ".toml");
                replaceTextFile(file, *job.experiment, Keep::Written, FilePlace::InFolder);
                words = {"run", file.string(), "--set", "seed=" + std::to_string(job.seed)};
                if (place.threads > 0 && parseExperiment(table, *job.experiment, file.string()).threads == 0) {
                    words.emplace_back("--set");
                    words.push_back("threads=" + std::to_string(place.threads));
                }
                words.emplace_back("--out");
                words.push_back(job.folder.string());
                fs::create_directories(job.folder.parent_path(), error);
            }
        }
    }
    const pid_t pid = startProgramIn(place.program, std::move(words), queueLog(job, place))->release();
    QueueBegun begun{pid, processIdentity(pid), {}, {}};
    try {
        replaceTextFile(paperOf(job, place, ".pid"), formatQueueProgram({pid, begun.process, job.folder}),
                        Keep::Written, FilePlace::InFolder);
    } catch (const Error&) {
        // It works all the same, and the queue's own file will name it.
        return begun;
    }
    return begun;
}

QueueBegun programAtWork(const QueueJob& job, const QueueWorkplace& place) {
    const fs::path file = paperOf(job, place, ".pid");
    std::error_code ignored;
    if (!fs::exists(fs::symlink_status(file, ignored))) return {};
    try {
        const auto program = parseQueueProgram(readTextFile(file, FilePlace::InFolder, file_limit::kSettings));
        // A queue that began anew counts its jobs anew.
        if (program && program->folder == job.folder && processAlive(static_cast<long>(program->pid), program->process))
            return {program->pid, program->process, {}, {}};
    } catch (const Error&) {
        return {};
    }
    return {};
}

QueueLook lookAtJob(const OptionTable& table, const QueueJob& job, const QueueWorkplace& place) {
    const ProgramEnd end = endOf(job);
    QueueLook look;
    try {
        if (end.working) {
            look.working = true;
            look.share = shareOf(table, job);
            if (!job.isSweep()) look.wait = readLearnerWait(job.folder);
            return look;
        }
        const std::string complaint = complaintIn(queueLog(job, place));
        look = job.isSweep() ? sweepOutcome(job, end, complaint) : runOutcome(table, job, end, complaint);
        look.last_sign = lastSignOf(job, place);
        return look;
    } catch (const Error& error) {
        // A folder that cannot be read while it is written is read again; one that stays so is the user's to see.
        if (end.working) return look;
        look.outcome = QueueState::Failed;
        look.sentence = error.sentence();
        return look;
    }
}

void askToStop(const QueueJob& job) {
    if (job.pid > 0 && processAlive(static_cast<long>(job.pid), job.process)) kill(static_cast<pid_t>(job.pid), SIGINT);
}

fs::path freshQueueFolder(const fs::path& runs, const std::string& name, std::int64_t seed,
                          const std::function<bool(const fs::path&)>& taken) {
    constexpr std::size_t kLongest = 60;
    const std::string slugged = slug(name, kLongest);
    const std::string base = (slugged.empty() ? "run" : slugged) + "-seed-" + std::to_string(seed);
    std::error_code ignored;
    fs::path folder = runs / base;
    for (int i = 2; taken(folder) || fs::exists(fs::symlink_status(folder, ignored)); ++i)
        folder = runs / (base + "-" + std::to_string(i));
    return folder;
}

std::unique_ptr<QueueLock> QueueLock::take(const fs::path& folder) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error)
        throw inputError("Cannot make the folder " + folder.string() + " of the queue: " + error.message() + ".",
                         "Make room, or see to it that you may write there.");
    std::optional<FileLock> lock = FileLock::take(openLockFile(folder / ".queue.lock"));
    return std::unique_ptr<QueueLock>(lock ? new QueueLock(std::move(*lock)) : nullptr);
}

}  // namespace palimpsest
