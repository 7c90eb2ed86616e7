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
