// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace palimpsest {

struct ClibOptions {
    std::string importance = "as-published";  ///< "as-published" (always 0) or "measured"
    double rate_step = 0.95;                  ///< ratio of the two learning rates
    std::int64_t rate_period = 10;            ///< updates at one of them
    std::int64_t rate_length = 10;            ///< periods of each that are compared
};

}  // namespace palimpsest
