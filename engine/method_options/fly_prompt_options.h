// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace palimpsest {

struct FlyPromptOptions {
    std::int64_t experts = 5;
    double ridge = 1e4;            ///< of the regression that chooses the expert
    std::string ensemble = "max";  ///< "max", "mean", "entropy" or "online"
};

}  // namespace palimpsest
