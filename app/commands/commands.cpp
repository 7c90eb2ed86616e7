// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/commands.h"

#include <utility>

#include "engine/config/experiment_file.h"
#include "engine/inputs/experiment_choices.h"
#include "engine/learner/learner_permit.h"
#include "engine/support/error.h"

namespace palimpsest {

const OptionTable& Shell::table() {
    if (!table_) table_ = std::make_unique<OptionTable>(engineCatalogue());
    return *table_;
}

void Shell::onChosen(CLI::App& command, std::function<int()> chosenAction) {
    command.callback([this, chosenAction = std::move(chosenAction)] { action = chosenAction; });
}

CLI::Option* ExperimentArguments::addTo(CLI::App& command) {
    command
        .add_option("--set", settings, "Change one option, as in --set stream.sessions=3; may be given several times")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false);
    return command.add_option("experiment", experiment, "An experiment file, a run folder or the name of a preset")
        ->type_name("EXPERIMENT");
}

Experiment ExperimentArguments::resolve(const OptionTable& table) const {
    Experiment resolved = loadExperiment(table, experiment);
    change(table, resolved);
    return resolved;
}

void ExperimentArguments::change(const OptionTable& table, Experiment& resolved) const {
    for (const std::string& setting : settings) {
        const std::size_t equals = setting.find('=');
        if (equals == std::string::npos)
            throw inputError("--set " + setting + " has no value.", "Write --set " + setting + "=VALUE.");
        table.setText(resolved, setting.substr(0, equals), setting.substr(equals + 1));
    }
    requireNoProblems(table, resolved, "`palimpsest-cli options` explains every option.");
}

void addAllowLearner(CLI::App& command) {
    command.add_flag_callback("--allow-learner", allowAllLearners,
                              "Start the program that an experiment with method.name external names; only for "
                              "experiments that you trust");
}

void refuseAllowLearnerElsewhere(const CLI::App& command, const RemotePlace* there) {
    if (command.count("--allow-learner") == 0) return;
    const std::string allow = "palimpsest-cli learner allow \"COMMAND\"";
    if (there == nullptr)
        throw inputError("--allow-learner holds in this call, and tasks of Slurm are calls of their own.",
                         "Leave it out, and allow the program for good: " + allow +
                             ", with the experiment's "
                             "method.external_command as COMMAND.");
    const std::string port = there->port > 0 ? "-p " + std::to_string(there->port) + " " : "";
    const std::string machine = (there->user.empty() ? "" : there->user + "@") + there->host;
    throw inputError("--allow-learner allows a program on this computer, and --on works on " + there->host + ".",
                     "Leave it out, and allow the program there for good: ssh " + port + machine + " '" + allow +
                         "', with the experiment's method.external_command as COMMAND.");
}

std::span<const Command> commands() {
    static constexpr Command kCommands[] = {
        {"run", addRun},         {"stream", addStream},       {"methods", addMethods},
        {"masks", addMasks},     {"datasets", addDatasets},   {"backbones", addBackbones},
        {"presets", addPresets}, {"options", addOptions},     {"isa", addIsa},
        {"prompts", addPrompts}, {"pretrain", addPretrain},   {"probe", addProbe},
        {"dataset", addDataset}, {"sweep", addSweep},         {"follow", addFollow},
        {"runs", addRuns},       {"import", addImport},       {"export", addExport},
        {"diff", addDiff},       {"lens", addLens},           {"attention", addAttention},
        {"report", addReport},   {"talk", addTalk},           {"lesson", addLesson},
        {"learner", addLearner}, {"bench", addBench},         {"verify", addVerify},
        {"trust", addTrust},     {"selfcheck", addSelfcheck}, {"documents", addDocuments},
    };
    return kCommands;
}

}  // namespace palimpsest
