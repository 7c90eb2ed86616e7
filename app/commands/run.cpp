// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/commands.h"
#include "app/commands/experiment_arguments.h"
#include "app/console_observer.h"
#include "app/ending.h"
#include "app/json_observer.h"
#include "engine/api.h"
#include "engine/run/run_folder.h"
#include "engine/support/error.h"
#include "engine/support/stop_scope.h"

namespace palimpsest {

namespace {

struct Arguments {
    ExperimentArguments experiment;
    std::string out;
    bool json = false;
};

template <class Printer>
int runAndPrint(const Experiment& experiment, const RunPlace& place) {
    RunControl control;
    const InterruptGuard guard(stopThenAbort(control, "batch", "the run"));
    // Before a folder is made: a data set that is missing or broken is the person's to mend.
    try {
        const StopScope scope(control.endToken());
        experimentLabels(experiment);
    } catch (const GivenUp&) {
        // The run says that it was stopped.
    }
    Ending<Printer, RunEnded> printer;
    runExperiment(1, experiment, place, control, printer);
    if (printer.ended.how == RunEnd::Failed) {
        throw Error(printer.ended.kind, printer.ended.error, printer.ended.hint);
    }
    return printer.ended.how == RunEnd::Aborted ? 1 : 0;
}

}  // namespace

void addRun(CLI::App& app, Shell& shell) {
    auto given = std::make_shared<Arguments>();
    CLI::App* command = app.add_subcommand("run", "Run an experiment and write its run folder");
    given->experiment.addTo(*command)->required();
    command
        ->add_option("--out", given->out,
                     "The run folder itself, absent or empty; otherwise a fresh one is made among your runs")
        ->type_name("DIR");
    command->add_flag("--json", given->json, "Print one JSON object a line");
    command->footer(
        "Ctrl-C, SIGTERM and SIGHUP stop and keep what was learned; only a second Ctrl-C at the terminal throws the\n"
        "run away.\n"
        "Exit codes: 0 finished, or stopped and kept (state in run.json says which); 1 failed or thrown away; 2 wrong\n"
        "input.\n"
        "`palimpsest-cli presets` lists the presets, `palimpsest-cli options` what --set can change.");
    command->callback([&shell, given, command] {
        shell.action = [&shell, given, command] {
            if (command->count("--out") > 0 && given->out.empty()) {
                throw inputError("--out names no folder.",
                                 "Name one, or leave --out away for a fresh one among your runs.");
            }
            const Experiment experiment = given->experiment.resolve(shell.table());
            const RunPlace place{defaultRunsFolder(), given->out};
            return given->json ? runAndPrint<JsonObserver>(experiment, place)
                               : runAndPrint<ConsoleObserver>(experiment, place);
        };
    });
}

}  // namespace palimpsest
