// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "engine/optim/optimizer.h"

namespace palimpsest {

/// Parses the optimiser of a golden case, such as "SGD momentum 0.9 nesterov weight_decay 1e-4 lr 1e-2" or "Adam lr
/// 5e-3 betas (0.9,0.999) eps 1e-8 wd 0": its name, then settings in any order. Missing settings are PyTorch's
/// defaults. Throws Error(Input) that names a word which is unknown, missing, malformed or repeated.
OptimizerSettings parseOptimizer(const std::string& words);

}  // namespace palimpsest
