// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>

#include "engine/method/method.h"

namespace palimpsest {

/// Does the option change anything in this experiment?
bool readsOption(const OptionTable& table, const Experiment& experiment, const char* key);

/// Setup of the experiment's method, with as many sessions as the experiment names (one of an imported stream,
/// whose list alone says how many) and stream_samples not known.
/// Throws Error(Input) when the prompts of an initial session, where the method reads them, are not there or belong to
/// another backbone.
MethodSetup methodSetup(const OptionTable& table, const Experiment& experiment, std::shared_ptr<Vit> vit,
                        std::int64_t classes);

}  // namespace palimpsest
