// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "engine/config/method_declaration.h"

namespace palimpsest {

/// Random features that a regression is made of.
struct RandomFeatureOptions {
    std::int64_t count = 10000;  ///< 0: the features as they are
};

const SharedOptions& randomFeatureOptions();
/// A note on memory and time, where the features are many.
std::vector<std::string> randomFeatureNotes(const Experiment& experiment);

}  // namespace palimpsest
