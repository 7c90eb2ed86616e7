// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/adaptation_printers.h"
#include "app/cli/interrupt_guard.h"
#include "app/commands/commands.h"
#include "engine/adaptation/adapt_prompts.h"
#include "engine/support/error.h"

namespace palimpsest {
namespace {

struct AdaptArguments {
    ExperimentArguments experiment;
    std::string out;
    bool resume = false, json = false;
};

template <class Printer>
int adaptAndPrint(const Experiment& experiment, const AdaptationPlace& place) {
    RunControl control;
    const InterruptGuard guard(stopThenAbort(control, "step", "it"));
    WithEnd<Printer, AdaptationEnded> printer;
    adaptPrompts(experiment, place, control, printer);
    const AdaptationEnded& ended = printer.ended;
    if (ended.how == AdaptationEnded::How::Failed)
        throw Error(ended.input_error ? ErrorKind::Input : ErrorKind::Run, ended.error, ended.hint);
    const bool thrownAway = control.verdict() == RunControl::Verdict::Abort && ended.file.empty();
    return thrownAway ? 1 : 0;
}

}  // namespace

void addIsa(CLI::App& app, Shell& shell) {
    auto given = std::make_shared<AdaptArguments>();
    CLI::App* command = app.add_subcommand("isa", "Adapt prompts to an initial session and write them to a file");
    given->experiment.addTo(*command)->required();
    command->add_option("--out", given->out, "Where to write the prompts")->type_name("FILE.safetensors")->required();
    command->add_flag("--resume", given->resume,
                      "Resume from FILE.safetensors.state, which a stopped adaptation leaves");
    command->add_flag("--json", given->json, "Print one JSON object a line");
    command->footer(
        "initial_session.prompts says how: naive, sam or fam; fam where the experiment says none or names a file.\n"
        "A run then takes the prompts with --set initial_session.prompts=FILE.safetensors.\n"
        "Ctrl-C, SIGTERM and SIGHUP stop and keep the prompts and FILE.safetensors.state; only a second Ctrl-C at the\n"
        "terminal throws away what was learned.\n"
        "Exit codes: 0 finished, or stopped and kept; 1 failed or thrown away; 2 wrong input.\n"
        "`palimpsest-cli options` explains the options below initial_session.");
    shell.onChosen(*command, [&shell, given] {
        const Experiment experiment = given->experiment.resolve(shell.table());
        const AdaptationPlace place{given->out, given->resume};
        return given->json ? adaptAndPrint<JsonAdaptationPrinter>(experiment, place)
                           : adaptAndPrint<ConsoleAdaptationPrinter>(experiment, place);
    });
}

}  // namespace palimpsest
