// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/experiment_arguments.h"

#include "engine/config/experiment_file.h"
#include "engine/support/error.h"

namespace palimpsest {

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
        if (equals == std::string::npos) {
            throw inputError("--set " + setting + " has no value.", "Write --set " + setting + "=VALUE.");
        }
        table.setText(resolved, setting.substr(0, equals), setting.substr(equals + 1));
    }
    std::string all;
    for (const std::string& problem : table.problems(resolved)) all += (all.empty() ? "" : " ") + problem;
    if (!all.empty()) throw inputError(all, "`palimpsest-cli options` explains every option.");
}

}  // namespace palimpsest
