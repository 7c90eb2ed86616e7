// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/remote/follow.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

#include "engine/record/run_folder.h"
#include "engine/remote/remote_job.h"
#include "engine/support/file_io.h"
#include "engine/support/json.h"
#include "engine/support/process.h"
#include "engine/support/stop_scope.h"
#include "engine/support/text.h"

namespace palimpsest {
namespace {

namespace fs = std::filesystem;

/// Rounds between two questions for the processes of runs.
constexpr int kRoundsBetweenQuestions = 6;
/// Rounds without anything new after which the log there is asked why.
constexpr int kQuietRounds = 3;
/// KiB below which a disk counts as full: a block of a file system may be left.
constexpr std::int64_t kNoRoom = 64;

Json documentOf(const fs::path& run) {
    try {
        return parsedJson(readTextFile(run / "run.json", FilePlace::InFolder, file_limit::kDocument));
    } catch (const std::exception&) {
        return {};
    }
}

/// Runs that say they go on, on the machine that is asked, but whose process has gone.
std::set<fs::path> withoutProcess(const RemoteCopy& copy, const std::vector<fs::path>& runs) {
    std::string script = "uname -n; cat /proc/sys/kernel/random/boot_id";
    std::vector<std::pair<fs::path, Json>> asked;
    for (const fs::path& run : runs) {
        const Json document = documentOf(run);
        if (readRunState(run) != RecordedState::Running || !document.is_object()) continue;
        const auto pid = document.find("pid");
        if (pid == document.end() || !pid->is_number_unsigned() || !document.value("process", Json()).is_string())
            continue;
        script += "; cat /proc/" + std::to_string(pid->get<std::uint64_t>()) + "/stat 2>/dev/null || echo gone";
        asked.emplace_back(run, document);
    }
    std::set<fs::path> gone;
    if (asked.empty() || copy.way() == RemoteCopy::Way::Sftp) return gone;
    std::istringstream answer(copy.shell().require("Asking for processes", script));
    std::string host, boot, line;
    std::getline(answer, host);
    std::getline(answer, boot);
    for (const auto& [run, document] : asked) {
        if (!std::getline(answer, line)) break;
        if (document.value("host", Json()) != host) continue;
        // As processIdentity() makes it: the boot and the 20th field behind the program's name.
        const std::size_t name = line.rfind(')');
        std::string field;
        if (name != std::string::npos) {
            std::istringstream fields(line.substr(name + 1));
            for (int i = 0; i < 20; ++i) fields >> field;
        }
        if (document["process"].get<std::string>() != boot + ":" + field) gone.insert(run);
    }
    return gone;
}

/// The work beside which a run was computed there.
RemoteJob jobOf(const RemoteCopy& copy, const fs::path& run) {
    const RemotePlace& place = copy.shell().place();
    const fs::path within = run.lexically_relative(copy.local());
    return RemoteJob(within.empty() || within == "." ? place : place.below(within.string()));
}

/// Empty where it has no log, or cannot be asked for it.
std::string lastWordsOf(const RemoteCopy& copy, const fs::path& run) {
    if (copy.way() == RemoteCopy::Way::Sftp) return {};
    try {
        return lastWords(jobOf(copy, run).facts().log);
    } catch (const Error&) {
        return {};
    }
}

/// Reason behind "Paused: " in the last line of a log, as ConsoleRunPrinter writes it; empty: it is not paused. A
/// line that was cut off is none: the one that ends the pause could not follow it.
std::string pauseIn(std::string_view log) {
    constexpr std::string_view kPaused = "Paused: ";
    if (!log.ends_with('\n')) return {};
    log.remove_suffix(1);
    const std::string_view line = log.substr(log.rfind('\n') + 1);
    return line.starts_with(kPaused) ? plainSentence(line.substr(kPaused.size())) : std::string();
}

void noteCrash(const fs::path& run, const std::string& last) {
    Json document = documentOf(run);
    if (!document.is_object()) return;
    document["state"] = toText(RecordedState::Crashed);
    if (!last.empty()) document["error"] = "The last that its log says: " + last;
    replaceTextFile(run / "run.json", document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n",
                    Keep::Written, FilePlace::InFolder);
}

}  // namespace

RemoteRunState remoteRunState(const RemoteCopy& copy) {
    const fs::path& run = copy.local();
    if (copy.way() == RemoteCopy::Way::Sftp || readRunState(run) != RecordedState::Running) return {};
    RemoteJob::Facts facts;
    try {
        facts = jobOf(copy, run).facts();
    } catch (const RemoteError&) {
        throw;
    } catch (const Error&) {
        // The files come all the same.
        return {};
    }
    if (facts.state == RemoteJob::State::Gone) return {true, lastWords(facts.log)};
    if (facts.state != RemoteJob::State::Running) return {};
    const std::string& host = copy.shell().place().host;
    if (const std::string why = pauseIn(facts.log); !why.empty()) return {false, "Paused on " + host + ": " + why};
    // A disk that is full may not take the line either.
    if (facts.room < 0 || facts.room >= kNoRoom) return {};
    return {false, "The disk of " + host + " is full, and the run there may wait. It goes on once there is room."};
}

void follow(RemoteCopy& copy, const FollowPlan& plan, const FollowTeller& teller) {
    bool first = true, was_ended = false, broken = false;
    std::chrono::seconds pause = plan.every;
    std::set<fs::path> suspects;
    std::string paused;
    bool ask = true;
    int quiet = 0;
    for (int round = 1;; ++round) {
        try {
            const CopiedFiles copied = copy.bring();
            if (broken) teller.back();
            broken = false;
            pause = plan.every;
            if (first || copied.files > 0) teller.copied(copied);
            first = false;
            quiet = copied.files > 0 ? 0 : quiet + 1;
            if (ask || !paused.empty() || quiet % kQuietRounds == kQuietRounds - 1) {
                const RemoteRunState now = remoteRunState(copy);
                // Of one whose process has gone, the end is told below.
                if (!now.gone && std::exchange(paused, now.why) != now.why) teller.paused(now.why);
            }
            ask = false;
            const bool over = plan.over();
            const std::vector<fs::path> runs = copy.runs();
            // A process that has gone may have written its last words after this round; two questions with a round
            // between them tell.
            std::set<fs::path> lost;
            if (round % kRoundsBetweenQuestions == 0 || !suspects.empty()) {
                const std::set<fs::path> gone = withoutProcess(copy, runs);
                std::ranges::set_intersection(gone, suspects, std::inserter(lost, lost.end()));
                suspects = gone;
            }
            const bool ended = std::ranges::all_of(runs, [&](const fs::path& run) {
                const RecordedState state = readRunState(run);
                return (state != RecordedState::Running && state != RecordedState::None) || lost.contains(run);
            });
            if (!over && (!ended || !plan.done(runs))) {
                was_ended = false;
            } else if (was_ended) {
                // The last words of the tables may have come after the document that told the end: hence twice.
                for (const fs::path& run : lost) {
                    const std::string last = lastWordsOf(copy, run);
                    noteCrash(run, last);
                    teller.crashed(run, last);
                }
                return;
            } else {
                was_ended = true;
                continue;
            }
        } catch (const Error& error) {
            if (first && !plan.patient) throw;
            if (!broken) teller.broken(error, pause);
            broken = true;
            // Whoever is told of the break is told anew why it waits.
            paused.clear();
            ask = true;
            waitUnlessGivenUp(pause);
            pause = std::min(pause * 2, plan.longest);
            continue;
        }
        waitUnlessGivenUp(plan.every);
    }
}

}  // namespace palimpsest
