// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace palimpsest {

struct EwcPlusPlusOptions {
    double strength = 100;               ///< lambda
    std::string gradients = "separate";  ///< "separate" or "added-up" (as published)
};

}  // namespace palimpsest
