// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/remote/follow.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <utility>

#include "engine/record/run_folder.h"
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

void noteCrash(const fs::path& run) {
    Json document = documentOf(run);
    if (!document.is_object()) return;
    document["state"] = toText(RecordedState::Crashed);
    replaceTextFile(run / "run.json", document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n",
                    Keep::Written, FilePlace::InFolder);
}

}  // namespace

void follow(RemoteCopy& copy, const FollowPlan& plan, const FollowTeller& teller) {
    bool first = true, was_ended = false, broken = false;
    std::chrono::seconds pause = plan.every;
    std::set<fs::path> suspects;
    for (int round = 1;; ++round) {
        try {
            const CopiedFiles copied = copy.bring();
            if (broken) teller.back();
            broken = false;
            pause = plan.every;
            if (first || copied.files > 0) teller.copied(copied);
            first = false;
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
                    noteCrash(run);
                    teller.crashed(run);
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
            waitUnlessGivenUp(pause);
            pause = std::min(pause * 2, plan.longest);
            continue;
        }
        waitUnlessGivenUp(plan.every);
    }
}

}  // namespace palimpsest
