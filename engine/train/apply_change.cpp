// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/apply_change.h"

#include "engine/support/error.h"

namespace palimpsest {

void applyChange(const LiveChange& change, OnlineLoop& loop, Method& method) {
    if (change.key == "mask.name") {
        loop.setMask(maskKind(change.value));
    } else if (change.key == "mask.form") {
        loop.setMaskForm(maskForm(change.value));
    } else if (change.key == "evaluation.every_samples") {
        loop.setEvery(std::stoll(change.value));
    } else if (change.key == "training.learning_rate") {
        if (method.hasOptimizer()) method.optimizer().setLearningRate(std::stod(change.value));
    } else {
        throw inputError("The option " + change.key + " cannot be changed while a run goes on.",
                         "Start another run with it.");
    }
}

}  // namespace palimpsest
