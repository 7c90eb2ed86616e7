// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/follow.h"

#include <chrono>
#include <iostream>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>

#include "app/cli/follow_printer.h"
#include "app/cli/interrupt_guard.h"
#include "app/cli/output.h"
#include "app/cli/value_checks.h"
#include "app/commands/commands.h"
#include "engine/record/run_folder.h"
#include "engine/remote/follow.h"
#include "engine/remote/remote_job.h"
#include "engine/remote/slurm_news.h"
#include "engine/remote/sweep_whole.h"
#include "engine/report/sweep_table.h"
#include "engine/support/error.h"
#include "engine/support/file_io.h"
#include "engine/support/stop_scope.h"

namespace palimpsest {
namespace {

namespace fs = std::filesystem;

/// Tells whether following may end with the runs that there are, none of which goes on: a sweep must have all that it
/// plans. Says once what it waits for.
class FollowEnd {
public:
    /// `shell`: of the machine where the sweep is; null for this one.
    FollowEnd(const OptionTable& table, const FollowPrinter& printer, fs::path folder,
              const RemoteShell* shell = nullptr)
        : printer_(printer),
          grid_(folder / "sweep.toml"),
          whole_(table, report::sweepMetrics(), std::move(folder), shell) {}

    bool operator()(const std::vector<fs::path>& runs) {
        if (!isPlainFile(grid_)) return !runs.empty();
        const std::optional<std::size_t> planned = whole_.planned();
        if (!planned && !std::exchange(noted_, true))
            std::cerr << "Note: How many runs the sweep plans cannot be told here; Ctrl-C ends the following."
                      << std::endl;
        if (!planned || runs.size() >= *planned) return planned.has_value();
        // Between two runs of a sweep that goes on, nothing goes on for a moment.
        if (begun_ == runs.size() && !std::exchange(told_, true)) printer_.waiting(runs.size(), *planned);
        begun_ = runs.size();
        return false;
    }

private:
    const FollowPrinter& printer_;
    fs::path grid_;
    SweepWhole whole_;
    std::optional<std::size_t> begun_;  ///< runs at the last time that none went on
    bool noted_ = false, told_ = false;
};

void followRemote(const OptionTable& table, const FollowArguments& given, FollowPrinter& printer) {
    const RemotePlace place = parseRemotePlace(given.place);
    if (given.into.empty() && place.name().empty())
        throw inputError(place.text() + " has no name for its copy.", "Name a folder with --into.");
    RemoteCopy copy(
        place,
        fs::absolute(given.into.empty() ? defaultRunsFolder() / place.name() : fs::path(given.into)).lexically_normal(),
        given.checkpoints);
    switch (lookOnceBegun(copy)) {
        case RemoteFolder::Missing:
            throw inputError("There is no folder " + place.path + " on " + place.host + ".", "Check the path.");
        case RemoteFolder::Other:
            throw inputError(place.text() + " is neither a run nor a sweep, and holds no run.",
                             "Name the folder of a run, of a sweep, or one that holds runs.");
        default:
            break;
    }
    copy.claim();
    SlurmNews slurm(copy, {.version = PALIMPSEST_VERSION, .noted = [](const std::string& message) {
                               if (!message.empty()) std::cerr << "Note: " << message << std::endl;
                           }});
    if (given.once) {
        printer.copied(copy.bring());
        slurm.over();
        printer.runs(copy.runs());
        const RemoteRunState now = remoteRunState(copy);
        if (now.gone)
            printer.crashed(copy.local(), now.why);
        else if (!now.why.empty())
            printer.paused(now.why);
    } else {
        FollowPlan plan;
        plan.every = std::chrono::seconds(given.every);
        plan.over = [&slurm] { return slurm.over(); };
        plan.done = [&slurm, end = FollowEnd(table, printer, copy.local(), &copy.shell())](
                        const std::vector<fs::path>& runs) mutable { return end(runs) && !slurm.active(); };
        FollowTeller teller;
        teller.copied = [&](const CopiedFiles& files) {
            printer.copied(files);
            printer.runs(copy.runs());
        };
        teller.broken = [&](const Error& error, std::chrono::seconds pause) { printer.broken(error, pause); };
        teller.back = [&] { printer.back(); };
        teller.paused = [&](const std::string& why) { printer.paused(why); };
        teller.crashed = [&](const fs::path& run, const std::string& last) { printer.crashed(run, last); };
        try {
            follow(copy, plan, teller);
        } catch (const GivenUp&) {
            // The runs go on; so can the following.
        }
    }
    printer.ends(copy.local());
}

void followHere(const OptionTable& table, const FollowArguments& given, FollowPrinter& printer) {
    const fs::path folder = fs::absolute(given.place).lexically_normal();
    if (!fs::is_directory(folder)) throw inputError("There is no folder " + given.place + ".", "Check the path.");
    const auto runsNow = [&] {
        if (isPlainFile(folder / "run.json")) return std::vector{folder};
        std::vector<fs::path> runs = findRuns(folder);
        if (fs::is_directory(folder / "runs"))
            for (fs::path& run : findRuns(folder / "runs")) runs.push_back(std::move(run));
        return runs;
    };
    if (runsNow().empty() && !isPlainFile(folder / "sweep.toml"))
        throw inputError(given.place + " is neither a run nor a sweep, and holds no run.",
                         "Name the folder of a run, of a sweep, or one that holds runs.");
    FollowEnd done(table, printer, folder);
    try {
        for (;;) {
            const std::vector<fs::path> runs = runsNow();
            bool going = false;
            // Asked first: what is read later has all that was written before the end.
            for (const fs::path& run : runs) {
                const RecordedState state = readRunState(run);
                going = going || state == RecordedState::Running || state == RecordedState::None;
            }
            printer.runs(runs);
            if (given.once || (!going && done(runs))) return;
            waitUnlessGivenUp(std::chrono::seconds(given.every));
        }
    } catch (const GivenUp&) {
        // As above.
    }
}

/// Stops what `run --on` has started.
void stopRun(const FollowArguments& given) {
    if (!isRemotePlace(given.place))
        throw inputError("--stop ends a run on another machine.", "Ctrl-C ends one of this machine where it runs.");
    const RemotePlace place = parseRemotePlace(given.place);
    const bool stopped = RemoteJob(place).stop();
    if (given.json)
        printLine({{"event", "stop"}, {"place", place.text()}, {"running", stopped}});
    else
        std::cout << (stopped ? "It ends at its next batch; what was learned is kept."
                              : "Nothing that was started by --on goes on there.")
                  << std::endl;
}

}  // namespace

int followRuns(const OptionTable& table, const FollowArguments& given) {
    if (given.stop) {
        stopRun(given);
        return 0;
    }
    std::stop_source stop;
    const InterruptGuard guard([&stop](Interrupt) { stop.request_stop(); });
    const StopScope scope(stop.get_token());
    FollowPrinter printer(table, given.json);
    try {
        if (isRemotePlace(given.place))
            followRemote(table, given, printer);
        else
            followHere(table, given, printer);
    } catch (const GivenUp&) {
        return 0;
    }
    return printer.anyFailed() ? 1 : 0;
}

void addFollow(CLI::App& app, Shell& shell) {
    auto given = std::make_shared<FollowArguments>();
    CLI::App* command =
        app.add_subcommand("follow", "Follow runs that another program, here or on another machine, computes");
    command
        ->add_option("place", given->place,
                     "A run, a sweep or a folder of runs: ssh://[USER@]HOST[:PORT]/PATH, or a folder of this machine")
        ->type_name("PLACE")
        ->required();
    command
        ->add_option("--into", given->into,
                     "With ssh://: the folder of the copy; otherwise one of the same name among your runs")
        ->type_name("DIR");
    command->add_flag("--with-checkpoints", given->checkpoints,
                      "With ssh://: bring checkpoints and prompts, too; otherwise only what was measured");
    takesFrom(command->add_option("--every", given->every, "Seconds between two rounds; 5 unless you say otherwise")
                  ->type_name("SECONDS"),
              1, 86'400);
    CLI::Option* const once = command->add_flag("--once", given->once, "One round, whether or not the runs have ended");
    command
        ->add_flag("--stop", given->stop,
                   "End a run that `run --on` has started at its next batch; it keeps what it learned")
        ->excludes(once);
    command->add_flag("--json", given->json, "Print one JSON object a line");
    command->footer(
        "It ends when all runs have ended; Ctrl-C ends the following alone, and the same command goes on with it.\n"
        "Your own ssh connects, with your settings and keys; no password is asked for.\n"
        "Exit codes: 0 done, or stopped; 1 a run failed or crashed, or there is no connection; 2 wrong input.");
    shell.onChosen(*command, [&shell, given] { return followRuns(shell.table(), *given); });
}

}  // namespace palimpsest
