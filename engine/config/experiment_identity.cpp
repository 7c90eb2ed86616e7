// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/config/experiment_identity.h"

#include "engine/config/experiment_file.h"

namespace palimpsest {

Experiment spelledOut(Experiment experiment) {
    experiment.memory = resolvedMemory(experiment);
    if (experiment.memory.size == 0) experiment.memory.batch_size = 0;
    return experiment;
}

std::string experimentIdentity(const OptionTable& table, const Experiment& experiment) {
    return formatExperiment(table, spelledOut(experiment));
}

std::string identityApartFromSeed(const OptionTable& table, Experiment experiment) {
    experiment.seed = 0;
    return experimentIdentity(table, experiment);
}

}  // namespace palimpsest
