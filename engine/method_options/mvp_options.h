// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace palimpsest {

struct MvpOptions {
    bool mask = true, contrastive = true, scaling = true;
    std::string reinforcement = "batch";  ///< "none", "batch" (as published) or "sample"
    double alpha = 0.5, gamma = 2, margin = 0.5;
};

}  // namespace palimpsest
