// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/config/method_declaration.h"

namespace palimpsest {

/// A backbone that learns and is held back.
struct TunedBackboneOptions {
    bool train_backbone = true;
};

const SharedOptions& tunedBackboneOptions();
/// A note on a head that learns alone.
std::vector<std::string> tunedBackboneNotes(const Experiment& experiment);

}  // namespace palimpsest
