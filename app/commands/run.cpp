// SPDX-License-Identifier: GPL-3.0-or-later
#include <unistd.h>
#include <iostream>

#include "app/commands/commands.h"
#include "app/commands/experiment_arguments.h"
#include "app/console_observer.h"
#include "app/interrupt_guard.h"
#include "app/json_observer.h"
#include "engine/api.h"
#include "engine/run/run_folder.h"
#include "engine/support/error.h"

namespace palimpsest {

namespace {

struct Arguments {
    ExperimentArguments experiment;
    std::string out;
    bool json = false;
};

/// Prints through the printer it is given and keeps how the run ended.
template <class Printer>
class Ending : public Printer {
public:
    void onEnded(const RunEnded& event) override {
        ended = event;
        Printer::onEnded(event);
    }
    RunEnded ended;
};

template <class Printer>
int runAndPrint(const Experiment& experiment, const RunPlace& place) {
    RunControl control;
    const InterruptGuard guard([&control](int interrupts) {
        if (interrupts == 1) {
            control.stop();
            std::cerr << (isatty(STDERR_FILENO) ? "\n" : "")
                      << "Stopping at the next batch; once more throws the run away." << std::endl;
        } else {
            control.abort();
        }
    });
    // Before a folder is made: a data set that is missing or broken is the person's to mend.
    experimentLabels(experiment);
    Ending<Printer> printer;
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
        "Ctrl-C stops and keeps what was learned; a second Ctrl-C throws the run away.\n"
        "`palimpsest-cli presets` lists the presets, `palimpsest-cli options` what --set can change.");
    command->callback([&shell, given] {
        shell.action = [&shell, given] {
            const Experiment experiment = given->experiment.resolve(shell.table());
            const RunPlace place{defaultRunsFolder(), given->out};
            return given->json ? runAndPrint<JsonObserver>(experiment, place)
                               : runAndPrint<ConsoleObserver>(experiment, place);
        };
    });
}

}  // namespace palimpsest
