// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace palimpsest {

struct OnlineLoraOptions {
    std::int64_t rank = 4;
    double strength = 2000;          ///< lambda
    std::int64_t hard_images = 4;    ///< places of the buffer; 0: none
    std::string buffer = "images";   ///< or "as-published"
    std::int64_t window = 5;         ///< losses, one a batch
    double plateau_mean = 5.2;       ///< of the window, below it
    double plateau_variance = 0.02;  ///< likewise
    std::string loss = "scaled";     ///< or "as-published": what the two limits are compared with
    std::string merge = "products";  ///< or "factors" (as published)
};

}  // namespace palimpsest
