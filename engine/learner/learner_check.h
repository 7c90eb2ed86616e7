// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/learner/learner_link.h"

namespace palimpsest {

/// One thing that was tried with a learner.
struct LearnerTrial {
    std::string what;   ///< "Says who it is"
    std::string found;  ///< what came of it; the fault, where there is one
    bool sound = true;
};

/// Plays the whole protocol with a learner on a small made-up stream, and with a second one that takes up the state of
/// the first. Ends at a fault after which nothing can be tried. `report` hears each trial at once. Throws Error(Input)
/// where the user has not allowed the command; GivenUp once `start.stop` is asked.
std::vector<LearnerTrial> checkLearner(const LearnerStart& start, const std::string& options,
                                       const std::function<void(const LearnerTrial&)>& report = {});

}  // namespace palimpsest
