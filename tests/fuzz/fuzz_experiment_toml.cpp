// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/config/experiment_file.h"
#include "tests/fuzz/option_table.h"
#include "tests/fuzz/target.h"

namespace palimpsest::fuzz_experiment_toml {

FUZZ_TARGET(experiment_toml, 1500) {
    const OptionTable& table = fuzz::optionTable();
    fuzz::answers([&] {
        const Experiment experiment = parseExperiment(table, input, "experiment.toml");
        fuzz::requireLines(table.problems(experiment));
        fuzz::requireLines(table.idleNotes(experiment));
        fuzz::requireLines(table.methodNotes(experiment));
        // What is written reads back as the same: a run is resumed from it.
        const std::string text = formatExperiment(table, experiment);
        fuzz::require(formatExperiment(table, parseExperiment(table, text, "written")) == text,
                      "an experiment that was written reads back as another");
    });
}

}  // namespace palimpsest::fuzz_experiment_toml
