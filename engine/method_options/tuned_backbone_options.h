// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "engine/config/method_declaration.h"

// Options of the methods that train the backbone: fine-tuning, and those that hold it back.

namespace palimpsest {

struct BackboneRateOptions {
    double learning_rate = 0;  ///< of the backbone; 0: as the rest
};

struct TunedBackboneOptions {
    bool train_backbone = true;
    std::string importance = "true-label";  ///< or "negated-logits"
};

struct EwcPlusPlusOptions {
    double strength = 100;               ///< lambda
    std::string gradients = "separate";  ///< "separate" or "added-up" (as published)
};

struct OnlineEwcOptions {
    double strength = 25;  ///< lambda
    double decay = 1;      ///< gamma: share of the importance found before that a new session leaves
};

const SharedOptions& backboneRateOptions();
const SharedOptions& tunedBackboneOptions();
/// A note on a head that learns alone.
std::vector<std::string> tunedBackboneNotes(const Experiment& experiment);

}  // namespace palimpsest
