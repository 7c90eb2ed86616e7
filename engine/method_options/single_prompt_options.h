// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace palimpsest {

struct SinglePromptOptions {
    std::string head = "cosine";  ///< or "linear"
    double temperature = 0.1;     ///< divides the cosine
};

}  // namespace palimpsest
