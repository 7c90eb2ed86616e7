// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <iostream>
#include <nlohmann/json.hpp>

#include "engine/support/json.h"

namespace palimpsest {

/// Prints one line on standard output and flushes it, so that a reader can follow. Bytes that are not UTF-8 (a strange
/// path) are replaced, numbers that are not finite become null.
inline void printLine(const Json& json) {
    std::cout << json.dump(-1, ' ', false, Json::error_handler_t::replace) << std::endl;
}

}  // namespace palimpsest
