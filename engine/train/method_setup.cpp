// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/method_setup.h"

#include <utility>

#include "engine/method/initial_prompts.h"

namespace palimpsest {

bool readsOption(const OptionTable& table, const Experiment& experiment, const char* key) {
    return table.idleReason(experiment, *table.find(key)).empty();
}

MethodSetup methodSetup(const OptionTable& table, const Experiment& experiment, std::shared_ptr<Vit> vit,
                        std::int64_t classes) {
    MethodSetup setup;
    setup.vit = std::move(vit);
    setup.classes = classes;
    setup.method = experiment.method;
    setup.initial_session = experiment.initial_session;
    if (readsOption(table, experiment, "initial_session.prompts"))
        setup.initial_session.prompts = initialPrompts(experiment.initial_session, experiment.backbone);
    setup.learnable_mask = kMaskKinds.at(experiment.mask.name) == MaskKind::Learnable;
    setup.optimizer = experiment.training.optimizer;
    setup.learning_rate = experiment.training.learning_rate;
    setup.seed = static_cast<std::uint64_t>(experiment.seed);
    setup.memory = resolvedMemory(experiment);
    setup.batch_size = experiment.training.batch_size;
    setup.sessions = experiment.stream.isImported() ? 1 : experiment.stream.sessions;
    return setup;
}

}  // namespace palimpsest
