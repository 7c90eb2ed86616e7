// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

#include "engine/config/method_declaration.h"

namespace palimpsest {

/// Random features that a regression is made of, in the analytic head and in FlyPrompt's router.
struct RandomFeatureOptions {
    std::int64_t count = 10000;  ///< 0: the features as they are
};

struct AnalyticHeadOptions {
    std::string readout = "ridge";  ///< "ridge", "ncm" or "lda"
    double ridge = 1e5;             ///< of the regression on the classes
};

const SharedOptions& randomFeatureOptions();
/// A note on memory and time, where the features are many.
std::vector<std::string> randomFeatureNotes(const Experiment& experiment);

}  // namespace palimpsest
