// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/follow_printer.h"

#include <algorithm>
#include <iostream>
#include <optional>
#include <system_error>

#include "app/cli/output.h"
#include "engine/support/error.h"
#include "engine/support/format.h"
#include "engine/support/text.h"

namespace palimpsest {
namespace {

/// When what a line says was written last.
std::vector<std::filesystem::file_time_type> timesOf(const std::filesystem::path& run) {
    std::vector<std::filesystem::file_time_type> times;
    for (const char* file : {"run.json", "summary.json", "anytime.csv", "training.csv"}) {
        std::error_code missing;
        const auto time = std::filesystem::last_write_time(run / file, missing);
        times.push_back(missing ? std::filesystem::file_time_type{} : time);
    }
    return times;
}

}  // namespace

void FollowPrinter::runs(const std::vector<std::filesystem::path>& runs) {
    for (const std::filesystem::path& run : runs) {
        const auto times = timesOf(run);
        // A process that goes without a word changes the state alone.
        const RecordedState state = readRunState(run);
        auto& known = written_[run];
        if (known == times && states_[run] == state) continue;
        try {
            print(readRun(table_, run));
            known = times;
        } catch (const Error& error) {
            // The document may come before the experiment.
            if (state != RecordedState::Running)
                std::cerr << "palimpsest-cli: " << plainSentence(error.sentence()) << std::endl;
        }
        states_[run] = state;
    }
}

void FollowPrinter::waiting(std::size_t begun, std::size_t planned) const {
    const std::size_t missing = planned - begun;
    if (json_)
        printLine({{"event", "waiting"}, {"not_begun", missing}, {"runs", planned}});
    else
        std::cerr << missing << " of " << counted(static_cast<std::int64_t>(planned), "run", "runs")
                  << (missing == 1 ? " has not begun; waiting for it" : " have not begun; waiting for them")
                  << " (Ctrl-C ends the following)." << std::endl;
}

void FollowPrinter::print(const RunRecord& run) {
    const std::optional<double> accuracy =
        run.anytime.empty() ? std::nullopt : std::optional(run.anytime.back().accuracy);
    if (json_) {
        printLine({{"event", "run"},
                   {"folder", run.folder.string()},
                   {"name", run.experiment.name},
                   {"seed", run.experiment.seed},
                   {"state", toText(run.state)},
                   {"samples_seen", run.samples_learned},
                   {"total_samples", run.total_samples},
                   {"accuracy", orNull(accuracy)},
                   {"a_auc", orNull(run.summary.a_auc)},
                   {"error", orNull(run.error)}});
        return;
    }
    const double total = static_cast<double>(std::max<std::int64_t>(1, run.total_samples));
    std::string text = drawnBar(std::clamp(static_cast<double>(run.samples_learned) / total, 0., 1.), 10) + " " +
                       grouped(run.samples_learned) + " of " + grouped(run.total_samples) + "  accuracy " +
                       perCentColumn(accuracy) + "  A_AUC " + perCentColumn(run.summary.a_auc) + "  " +
                       plainSentence(run.experiment.name) + ", seed " + std::to_string(run.experiment.seed);
    if (run.state != RecordedState::Running) text += std::string(", ") + toText(run.state);
    if (!run.error.empty()) text += ": " + plainSentence(run.error);
    std::string& before = printed_[run.folder];
    if (before == text) return;
    before = text;
    std::cout << text << std::endl;
}

void FollowPrinter::copied(const CopiedFiles& files) {
    all_.files += files.files;
    all_.bytes += files.bytes;
    if (json_)
        printLine({{"event", "copied"},
                   {"files", files.files},
                   {"bytes", files.bytes},
                   {"all_files", all_.files},
                   {"all_bytes", all_.bytes}});
}

void FollowPrinter::broken(const Error& error, std::chrono::seconds pause) const {
    if (json_)
        printLine({{"event", "broken"}, {"error", error.sentence()}, {"retry_in", pause.count()}});
    else
        std::cerr << plainSentence(error.what()) << " It is tried again, in "
                  << counted(pause.count(), "second", "seconds") << " and then ever less often; nothing is lost."
                  << std::endl;
}

void FollowPrinter::back() const {
    if (json_)
        printLine({{"event", "back"}});
    else
        std::cerr << "It works again." << std::endl;
}

void FollowPrinter::paused(const std::string& why) const {
    if (json_)
        printLine({{"event", "paused"}, {"reason", orNull(why)}});
    else
        std::cout << (why.empty() ? "The run there no longer waits." : plainSentence(why)) << std::endl;
}

void FollowPrinter::crashed(const std::filesystem::path& run, const std::string& last) {
    states_[run] = RecordedState::Crashed;
    if (json_)
        printLine({{"event", "crashed"}, {"folder", run.string()}, {"last_words", orNull(last)}});
    else
        std::cout << plainSentence(run.filename().string()) << ": its process there has gone without ending it."
                  << (last.empty() ? "" : " The last that its log says: " + plainSentence(last)) << std::endl;
}

void FollowPrinter::ends(const std::filesystem::path& local) const {
    if (json_ || all_.files == 0) return;
    std::cout << counted(all_.files, "file", "files") << " came, " << byteCount(all_.bytes)
              << " over the line; the copy is " << local.string() << std::endl;
}

bool FollowPrinter::anyFailed() const {
    return std::ranges::any_of(states_, [](const auto& state) {
        return state.second == RecordedState::Failed || state.second == RecordedState::Crashed;
    });
}

}  // namespace palimpsest
