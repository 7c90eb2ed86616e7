// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/sweep_printer.h"

#include <iostream>

#include "app/cli/output.h"
#include "engine/support/format.h"
#include "engine/support/json.h"

namespace palimpsest {
bool hasFailed(const SweepResult& result) {
    return result.state == RecordedState::Failed || result.state == RecordedState::Crashed;
}

std::string SweepPrinter::named(const SweepRun& run) const {
    return plan_.lines[run.line].name + ", seed " + std::to_string(run.experiment.seed);
}

void SweepPrinter::begins(const SweepCount& count, int jobs, std::int64_t threads) const {
    if (json_) {
        printLine({{"event", "sweep_started"},
                   {"title", plan_.title},
                   {"folder", folder_.string()},
                   {"runs", count.runs},
                   {"finished", count.finished},
                   {"jobs", jobs},
                   {"threads", threads > 0 ? Json(threads) : Json(nullptr)}});
        return;
    }
    std::cout << (plan_.title.empty() ? "Sweep" : plan_.title) << ": " << counted(count.runs, "run", "runs");
    if (count.finished > 0) std::cout << ", " << grouped(count.finished) << " finished already";
    if (jobs > 0) std::cout << "; " << jobs << " at once";
    if (threads > 0) std::cout << ", " << counted(threads, "thread", "threads") << " each";
    std::cout << "\nFolder: " << folder_.string() << std::endl;
}

void SweepPrinter::notResumed(const SweepRun& run, const std::string& folder, const std::string& reason) const {
    const std::string whole = (folder_ / "runs" / folder).string();
    if (json_) {
        printLine({{"event", "run_not_resumed"}, {"number", run.number}, {"folder", whole}, {"reason", reason}});
        return;
    }
    std::cout << "Note: " << named(run) << " cannot go on in " << whole << ". " << reason << std::endl;
}

void SweepPrinter::runBegins(const SweepRun& run, const std::string& folder, std::int64_t threads, bool resumed) const {
    if (!json_) {
        if (resumed) std::cout << named(run) << " goes on in " << (folder_ / "runs" / folder).string() << std::endl;
        return;
    }
    printLine({{"event", resumed ? "run_resumed" : "run_started"},
               {"number", run.number},
               {"row", plan_.lines[run.line].name},
               {"seed", run.experiment.seed},
               {"folder", (folder_ / "runs" / folder).string()},
               {"threads", threads}});
}

void SweepPrinter::runEnded(const SweepRun& run, const SweepResult& result, const std::string& log, double seconds,
                            const SweepCount& count, const std::optional<double>& left) const {
    const bool finished = result.state == RecordedState::Finished;
    if (json_) {
        printLine({{"event", "run_ended"},
                   {"number", run.number},
                   {"row", plan_.lines[run.line].name},
                   {"seed", run.experiment.seed},
                   {"state", sweepStateText(result.state)},
                   {"folder", orNull(result.folder.empty() ? "" : (folder_ / "runs" / result.folder).string())},
                   {"log", orNull(log)},
                   {"error", orNull(result.error)},
                   {"a_auc", finished ? orNull(result.summary.a_auc) : Json(nullptr)},
                   {"seconds", seconds},
                   {"remaining", count.remaining()},
                   {"seconds_left", left ? Json(*left) : Json(nullptr)}});
        return;
    }
    std::cout << "[" << count.finished + count.failed << " of " << count.runs << "] " << named(run) << ": ";
    if (finished) {
        std::cout << "A_AUC " << trimmed(perCentColumn(result.summary.a_auc)) << ", " << duration(seconds);
    } else {
        std::cout << (result.state == RecordedState::None ? "not begun" : toText(result.state));
        if (!result.error.empty()) std::cout << ": " << result.error << (log.empty() ? "" : " Log: " + log);
    }
    std::cout << "; " << grouped(count.remaining()) << (count.remaining() == 1 ? " remains" : " remain");
    if (left && count.remaining() > 0) std::cout << ", about " << roughDuration(*left) << " left";
    std::cout << std::endl;
}

void SweepPrinter::elsewhere(const SweepRun& run, const SweepResult& result) const {
    const std::string folder = (folder_ / "runs" / result.folder).string();
    if (json_) {
        printLine({{"event", "run_elsewhere"}, {"number", run.number}, {"folder", folder}});
        return;
    }
    std::cout << "Note: " << named(run) << " is being computed by another program, in " << folder
              << "; if nothing runs there any more, rename that folder." << std::endl;
}

void SweepPrinter::ends(const std::vector<SweepResult>& results, const SweepCount& count, bool stopped,
                        bool tables) const {
    if (json_) {
        printLine({{"event", "sweep_ended"},
                   {"state", stopped                 ? "stopped"
                             : count.remaining() > 0 ? "incomplete"
                                                     : "finished"},
                   {"runs", count.runs},
                   {"finished", count.finished},
                   {"failed", count.failed},
                   {"table", tables ? Json((folder_ / "table.md").string()) : Json(nullptr)}});
        return;
    }
    for (std::size_t i = 0; i < plan_.runs.size(); ++i) {
        // The reason was printed when each of them ended, and is in sweep.json.
        if (hasFailed(results[i])) std::cout << "Failed: " << named(plan_.runs[i]) << "\n";
    }
    std::cout << (stopped ? "Stopped: " : "Finished: ") << grouped(count.finished) << " of "
              << counted(count.runs, "run", "runs");
    if (count.failed > 0) std::cout << ", " << grouped(count.failed) << " failed";
    std::cout << ".";
    if (count.finished < count.runs)
        std::cout << " The same command goes on with the rest, also with runs that were stopped.";
    if (tables) std::cout << "\nTable: " << (folder_ / "table.md").string();
    std::cout << std::endl;
}

void SweepPrinter::missing(const std::vector<SweepNeed>& needs) const {
    for (const SweepNeed& need : needs) {
        if (json_)
            printLine({{"event", "missing"},
                       {"kind", need.kind},
                       {"name", need.name},
                       {"problem", need.problem},
                       {"remedy", need.remedy},
                       {"rows", need.rows}});
        else
            std::cerr << "Missing " << need.kind << " " << need.name << " ("
                      << counted(static_cast<std::int64_t>(need.rows), "row", "rows") << "): " << need.problem
                      << (need.remedy.empty() ? "" : " " + need.remedy) << "\n";
    }
    std::cerr << std::flush;
}

void SweepPrinter::promptsBegin(const SweepPrompts& prompts, const std::filesystem::path& file) const {
    if (json_)
        printLine({{"event", "prompts_started"}, {"name", prompts.name}, {"file", file.string()}});
    else
        std::cout << "Initial session " << prompts.name << ": making " << file.filename().string() << std::endl;
}

void SweepPrinter::promptsEnded(const SweepPrompts& prompts, const std::filesystem::path& file,
                                const std::string& error, double seconds) const {
    if (json_) {
        printLine({{"event", "prompts_ended"},
                   {"name", prompts.name},
                   {"file", file.string()},
                   {"state", error.empty() ? "finished" : "failed"},
                   {"error", orNull(error)},
                   {"seconds", seconds}});
        return;
    }
    std::cout << "Initial session " << prompts.name << ": "
              << (error.empty() ? "made, " + duration(seconds) : "failed: " + error) << std::endl;
}

void SweepPrinter::list(const std::vector<SweepResult>* results, const std::map<std::int64_t, SlurmTask>& tasks) const {
    std::vector<std::pair<std::string, std::string>> rows;
    const std::size_t digits = std::to_string(plan_.runs.size()).size();
    for (std::size_t i = 0; i < plan_.runs.size(); ++i) {
        const SweepRun& run = plan_.runs[i];
        const auto task = tasks.find(run.number);
        if (json_) {
            Json line = {{"number", run.number},
                         {"row", plan_.lines[run.line].name},
                         {"seed", run.experiment.seed},
                         {"state", results ? sweepStateText((*results)[i].state) : "waiting"},
                         {"folder", results && !(*results)[i].folder.empty() ? (*results)[i].folder : run.folder}};
            if (task != tasks.end())
                line["slurm"] = {{"task", task->second.name()},
                                 {"state", task->second.state},
                                 {"reason", orNull(task->second.reason)},
                                 {"nodes", orNull(task->second.nodes)},
                                 {"restarts", task->second.restarts}};
            printLine(line);
            continue;
        }
        std::string state = results ? sweepStateText((*results)[i].state) : run.folder;
        if (results && (*results)[i].isContinuedElsewhere()) state += ", continued elsewhere, not bit for bit";
        const bool finished = results && (*results)[i].state == RecordedState::Finished;
        if (task != tasks.end() && !finished) state += "; Slurm " + task->second.name() + ": " + task->second.words();
        const std::string number = std::to_string(run.number);
        rows.emplace_back(std::string(digits - number.size(), ' ') + number + "  " + named(run), state);
    }
    std::cout << twoColumns(rows) << std::flush;
}

}  // namespace palimpsest
