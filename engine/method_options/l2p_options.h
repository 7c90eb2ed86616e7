// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace palimpsest {

struct L2pOptions {
    std::int64_t length = 5;    ///< tokens of each prompt of the pool
    std::int64_t selected = 5;  ///< prompts chosen for each image
    double key_weight = 0.5;    ///< of the mean key distance in the loss; 0: keys do not learn
};

}  // namespace palimpsest
