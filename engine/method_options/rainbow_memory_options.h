// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace palimpsest {

struct RainbowMemoryOptions {
    std::int64_t epochs = 256;         ///< passes over the memory after a session
    std::string evaluation = "after";  ///< "after" or "before" those passes
};

}  // namespace palimpsest
