// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/loop_settings.h"

namespace palimpsest {

LoopSettings loopSettings(const Experiment& experiment, const MethodSetup& setup) {
    LoopSettings settings;
    settings.classes = setup.classes;
    settings.batch_size = experiment.training.batch_size;
    settings.updates_per_batch = experiment.training.updates_per_batch;
    settings.every_samples = experiment.evaluation.every_samples;
    settings.memory_size = setup.memory.size;
    settings.memory_batch = setup.memory.batch_size;
    settings.memory_kind = setup.memory.kind;
    settings.mask = maskKind(experiment.mask.name);
    settings.mask_form = maskForm(experiment.mask.form);
    settings.whole_session = experiment.mask.session_scope == "whole";
    settings.cutmix = experiment.training.cutmix;
    settings.cutmix_each = experiment.training.augment_scope == "image";
    settings.seed = setup.seed;
    return settings;
}

}  // namespace palimpsest
