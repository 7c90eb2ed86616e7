// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "engine/config/option_table.h"
#include "engine/learner/learner_permit.h"

namespace palimpsest {

struct ExternalOptions {
    std::string command;          ///< program and arguments; empty: none
    std::string options;          ///< of the learner, "lr=0.01, epochs=2"
    double timeout = 60;          ///< seconds for one answer
    std::int64_t memory = 16384;  ///< MB that each of its processes may take; 0: no limit
    bool sessions = false;        ///< it is told where sessions end
};

/// The program that learns, where the experiment's method is one. Throws Error(Input) where it is not there.
std::optional<LearnerCommand> namedLearner(const OptionTable& table, const Experiment& experiment);

}  // namespace palimpsest
