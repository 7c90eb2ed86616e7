// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/apply_change.h"

#include "engine/support/error.h"

namespace palimpsest {

void applyChange(const OptionTable& table, const LiveChange& change, OnlineLoop& loop, Method& method) {
    Experiment changed = table.defaults();
    table.setText(changed, change.key, change.value);
    if (change.key == "mask.name") {
        loop.setMask(maskKind(changed.mask.name));
    } else if (change.key == "mask.form") {
        loop.setMaskForm(maskForm(changed.mask.form));
    } else if (change.key == "evaluation.every_samples") {
        loop.setEvery(changed.evaluation.every_samples);
    } else if (change.key == "training.learning_rate") {
        if (method.hasOptimizer()) method.optimizer().setLearningRate(changed.training.learning_rate);
    } else {
        throw inputError("The option " + change.key + " cannot be changed while a run goes on.",
                         "Start another run with it.");
    }
}

}  // namespace palimpsest
