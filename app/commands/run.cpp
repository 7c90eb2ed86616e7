// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/commands.h"

#include <cstdio>
#include <optional>

#include "app/cli/interrupt_guard.h"
#include "app/cli/output.h"
#include "app/cli/run_printers.h"
#include "app/commands/follow.h"
#include "engine/record/checkpoints.h"
#include "engine/record/resumable.h"
#include "engine/record/run_folder.h"
#include "engine/remote/remote_job.h"
#include "engine/run/live_change.h"
#include "engine/support/error.h"
#include "engine/support/format.h"
#include "engine/support/stop_scope.h"
#include "engine/support/text.h"
#include "engine/train/experiment_inputs.h"
#include "engine/train/run_experiment.h"

namespace palimpsest {
namespace {

struct Arguments {
    ExperimentArguments experiment;
    std::string out, resume, fork, replay, on, program;
    bool detached = false;
    std::optional<std::int64_t> at;
    bool json = false;
};

/// Throws Error(Input) for a moment that the run does not have.
void requireMoment(const OptionTable& table, const std::string& run, std::int64_t at) {
    const std::int64_t total = readRun(table, run).total_samples;
    if (at >= 0 && (at <= total || total <= 0)) return;
    throw inputError(
        "--at is " + grouped(at) + ", and the run " + run + " goes from 0 to " + grouped(total) + " images.",
        checkpointsNear(run, at));
}

/// Samples seen where the fork begins. Throws Error(Input) when the run has no such checkpoint.
std::int64_t forkMoment(const Arguments& given, const OptionTable& table) {
    if (given.at) {
        requireMoment(table, given.fork, *given.at);
        return *given.at;
    }
    const SoundCheckpoint newest = newestForkableCheckpoint(given.fork);
    for (const std::string& note : newest.passed_over) std::fprintf(stderr, "%s\n", note.c_str());
    return newest.record.samples_seen;
}

struct RequestedRun {
    Experiment experiment;
    RunStart start;
};

RequestedRun requestedRun(const Arguments& given, const OptionTable& table) {
    if (!given.resume.empty()) return {resumableExperiment(table, given.resume), ResumedRun{given.resume}};
    const FreshRun fresh{given.out.empty() ? defaultRunsFolder() : std::filesystem::path(), given.out};
    if (!given.replay.empty()) return {repeatableExperiment(table, given.replay), fresh};
    if (given.fork.empty()) return {given.experiment.resolve(table), fresh};
    const Experiment parent = pinnedExperiment(table, given.fork);
    const std::int64_t at = forkMoment(given, table);
    Experiment experiment = forkedExperiment(table, parent, changesSinceBegin(given.fork), at);
    given.experiment.change(table, experiment);
    return {experiment, ForkedRun{fresh.parent, fresh.exact, given.fork, at}};
}

template <class Printer>
int runAndPrint(const Experiment& experiment, const RunStart& start, const std::vector<LiveChange>& changes) {
    RunControl control;
    for (const LiveChange& change : changes) control.change(change);
    const bool resumes = std::holds_alternative<ResumedRun>(start);
    const InterruptGuard guard(
        experiment.method.name == "external"
            ? stopThenEndLearner(control)
            : stopThenAbort(control, "batch", resumes ? "what it has learned since its newest checkpoint" : "the run"));
    // Checked before a folder is made: a missing or broken data set is for the user to fix.
    try {
        const StopScope scope(control.endToken());
        experimentLabels(experiment);
    } catch (const GivenUp&) {
        // The run reports that it was stopped.
    }
    WithEnd<Printer, RunEnded> printer;
    runExperiment(1, experiment, start, control, printer);
    if (printer.ended.how == RunEnd::Failed) throw Error(printer.ended.kind, printer.ended.error, printer.ended.hint);
    return printer.ended.how == RunEnd::Aborted ? 1 : 0;
}

/// Starts it on another machine, and follows it from here.
int runThere(const Arguments& given, const RemotePlace& runs, const OptionTable& table) {
    const Experiment experiment = given.experiment.resolve(table);
    const std::string program = findRemoteProgram(RemoteShell(runs), given.program, PALIMPSEST_VERSION, noteOnStderr);
    const RemotePlace place = startRemoteRun(table, experiment, runs, program);
    const std::string quoted = shellQuoted(place.text());
    if (given.json)
        printLine({{"event", "started_there"}, {"place", place.text()}});
    else
        std::printf(
            "It goes on by itself in %s\nFollow it: palimpsest-cli follow %s\nEnd it:    palimpsest-cli follow %s "
            "--stop\n",
            place.text().c_str(), quoted.c_str(), quoted.c_str());
    std::fflush(stdout);
    if (given.detached) return 0;
    FollowArguments following;
    following.place = place.text();
    following.json = given.json;
    return followRuns(table, following);
}

}  // namespace

void addRun(CLI::App& app, Shell& shell) {
    auto given = std::make_shared<Arguments>();
    CLI::App* command = app.add_subcommand("run", "Run an experiment and write its run folder");
    addAllowLearner(*command);
    CLI::Option* const argument = given->experiment.addTo(*command);
    command
        ->add_option("--out", given->out,
                     "The run folder itself, absent or empty; otherwise a fresh one is made among your runs")
        ->type_name("DIR");
    CLI::Option* const resume =
        command
            ->add_option("--resume", given->resume,
                         "Resume a run that ended early from its newest checkpoint, in place of EXPERIMENT")
            ->type_name("RUN");
    resume->excludes(argument, command->get_option("--set"), command->get_option("--out"));
    CLI::Option* const fork =
        command
            ->add_option("--fork", given->fork,
                         "Begin as a fork of a run, with its past, in place of EXPERIMENT; --set says what differs")
            ->type_name("RUN");
    command
        ->add_option("--at", given->at,
                     "Where to fork: images seen at one of its checkpoints; else at the newest that leaves something "
                     "to learn")
        ->type_name("N")
        ->needs(fork);
    CLI::Option* const replay =
        command
            ->add_option("--replay", given->replay,
                         "Repeat a run with every change that was made while it went on, in place of EXPERIMENT")
            ->type_name("RUN");
    fork->excludes(argument, resume, replay);
    replay->excludes(argument, resume, command->get_option("--set"));
    CLI::Option* const on =
        command
            ->add_option(
                "--on", given->on,
                "Run it on another machine, in a new folder below ssh://[USER@]HOST[:PORT]/PATH, and follow it")
            ->type_name("PLACE");
    on->excludes(resume, fork, replay, command->get_option("--out"));
    command
        ->add_option("--program", given->program, "With --on: the palimpsest-cli there, if it is not found by itself")
        ->type_name("FILE")
        ->needs(on);
    command->add_flag("--detached", given->detached, "With --on: start it, but do not follow it")->needs(on);
    command->add_flag("--json", given->json, "Print one JSON object a line");
    command->footer(
        "Ctrl-C, SIGTERM and SIGHUP stop and keep what was learned; only a second Ctrl-C at the terminal throws the\n"
        "run away. Where a program of your own learns (--set method.name=external), a second Ctrl-C or SIGINT ends\n"
        "it at once, and the run keeps its newest checkpoint.\n"
        "Exit codes: 0 finished, or stopped and kept (state in run.json says which); 1 failed or thrown away; 2 wrong\n"
        "input.\n"
        "A resumed run gives the numbers that it would have given without a break, bit for bit, on the same\n"
        "machine: docs/determinism.md.\n"
        "`palimpsest-cli presets` lists the presets, `palimpsest-cli options` what --set can change.");
    shell.onChosen(*command, [&shell, given, command] {
        if (command->count("--out") > 0 && given->out.empty()) {
            throw inputError("--out names no folder.",
                             "Name one, or leave --out away for a fresh one among your runs.");
        }
        for (const auto& [option, folder] :
             {std::pair("--resume", &given->resume), {"--fork", &given->fork}, {"--replay", &given->replay}})
            if (command->count(option) > 0 && folder->empty())
                throw inputError(std::string(option) + " names no run.", "Name the folder of a run.");
        const bool another = !given->resume.empty() || !given->fork.empty() || !given->replay.empty();
        if (!another && given->experiment.experiment.empty())
            throw inputError("run needs EXPERIMENT: an experiment file, a run folder or the name of a preset.",
                             "To resume a run that ended early, give --resume RUN.");
        if (!given->on.empty()) {
            const RemotePlace there = parseRemotePlace(given->on);
            refuseAllowLearnerElsewhere(*command, &there);
            return runThere(*given, there, shell.table());
        }
        const auto [experiment, start] = requestedRun(*given, shell.table());
        std::vector<LiveChange> changes;
        if (!given->replay.empty()) changes = recordedChanges(given->replay);
        for (const LiveChange& change : changes) requireLive(shell.table(), experiment, change);
        return given->json ? runAndPrint<JsonRunPrinter>(experiment, start, changes)
                           : runAndPrint<ConsoleRunPrinter>(experiment, start, changes);
    });
}

}  // namespace palimpsest
