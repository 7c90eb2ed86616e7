// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

#include "engine/config/option_table.h"

namespace palimpsest {

struct FollowArguments {
    std::string place, into;
    bool checkpoints = false, once = false, stop = false, json = false;
    std::int64_t every = 5;  ///< seconds
};

/// Follows runs until they have ended, or until a signal; returns the exit code.
int followRuns(const OptionTable& table, const FollowArguments& given);

}  // namespace palimpsest
