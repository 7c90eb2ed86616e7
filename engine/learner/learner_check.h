// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "engine/learner/learner_link.h"

namespace palimpsest {

/// Side of the made-up images in pixels, unless another one is asked for.
inline constexpr std::int64_t kLearnerCheckSide = 16;

/// One thing that was tried with a learner.
struct LearnerTrial {
    std::string what;   ///< "Says who it is"
    std::string found;  ///< what came of it; the fault, where there is one
    bool sound = true;
};

/// Plays the whole protocol with a learner on a small made-up stream, and with a second one that takes up the state of
/// the first. Ends at a fault after which nothing can be tried. `report` hears each trial at once. Images are
/// `image_size` pixels high and wide, 1 or more. Throws Error(Input) where the user has not allowed the command;
/// GivenUp once `start.stop` is asked.
std::vector<LearnerTrial> checkLearner(const LearnerStart& start, const std::string& options,
                                       const std::function<void(const LearnerTrial&)>& report = {},
                                       std::int64_t image_size = kLearnerCheckSide);

}  // namespace palimpsest
