// SPDX-License-Identifier: GPL-3.0-or-later
#include <iostream>

#include "app/cli/interrupt_guard.h"
#include "app/cli/trust_printers.h"
#include "app/commands/commands.h"
#include "engine/record/run_folder.h"
#include "engine/support/error.h"
#include "engine/trust/check_trust.h"

namespace palimpsest {
namespace {

struct TrustArguments {
    ExperimentArguments experiment;
    std::vector<std::string> checks;
    bool json = false, quick = false;
};

TrustRequest requestOf(const TrustArguments& given, const OptionTable& table) {
    TrustRequest request;
    request.checks = given.checks;
    request.quick = given.quick;
    for (const std::string& name : given.checks) trustCheck(name);
    if (readRunState(given.experiment.experiment) == RecordedState::None) {
        request.experiment = given.experiment.resolve(table);
        return request;
    }
    if (!given.experiment.settings.empty())
        throw inputError("--set changes an experiment, and " + given.experiment.experiment + " is a run.",
                         "Leave --set away, or name the experiment.toml in that folder.");
    request.run = given.experiment.experiment;
    return request;
}

template <class Printer>
int checkAndPrint(const TrustRequest& request) {
    RunControl control;
    const InterruptGuard guard([&](Interrupt) {
        if (!control.ending()) std::cerr << "Stopping at the next batch; the verdicts given so far stand." << std::endl;
        control.stop();
    });
    WithEnd<Printer, TrustEnded> printer;
    checkTrust(request, control, printer);
    const TrustEnded& ended = printer.ended;
    if (ended.how == TrustEnded::How::Failed) throw Error(ended.kind, ended.error, ended.hint);
    return ended.red > 0 ? 1 : 0;
}

}  // namespace

void addTrust(CLI::App& app, Shell& shell) {
    auto given = std::make_shared<TrustArguments>();
    CLI::App* command = app.add_subcommand("trust", "Check whether the numbers of a run or experiment can be trusted");
    addAllowLearner(*command);
    given->experiment.addTo(*command)
        ->description("A run folder, an experiment file or the name of a preset")
        ->type_name("RUN|EXPERIMENT")
        ->required();
    command->add_option("--checks", given->checks, "Only these, separated by commas; otherwise all")
        ->type_name("NAME,...")
        ->delimiter(',')
        ->allow_extra_args(false);
    command->add_flag("--quick", given->quick, "Cut the stream and the test images of every check: about a minute");
    command->add_flag("--json", given->json, "Print one JSON object a line");
    std::vector<std::pair<std::string, std::string>> rows;
    for (const TrustCheckInfo& check : trustChecks()) rows.emplace_back("  " + std::string(check.name), check.question);
    command->footer(
        "Checks:\n" + twoColumns(rows) +
        "Of a run its newest checkpoint is looked at; an experiment is learned first.\n"
        "Green: nothing was found. Amber: it cannot be decided, or is worth knowing. Red: the numbers must\n"
        "not be trusted. Ctrl-C stops at the next batch; the verdicts given by then stand.\n"
        "Exit codes: 0 no check is red; 1 at least one is, or it failed; 2 wrong input.\n"
        "docs/trust.md explains every check.");
    shell.onChosen(*command, [&shell, given] {
        const TrustRequest request = requestOf(*given, shell.table());
        return given->json ? checkAndPrint<JsonTrustPrinter>(request) : checkAndPrint<ConsoleTrustPrinter>(request);
    });
}

}  // namespace palimpsest
