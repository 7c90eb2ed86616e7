// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <iterator>
#include <string>

#include "engine/support/grouped.h"

namespace palimpsest {

/// "1 byte", "29.5 kB", "310 MB": steps of 1,000, three digits. A negative number counts as none.
inline std::string byteCount(std::int64_t bytes) {
    if (bytes < 1000) return counted(std::max<std::int64_t>(bytes, 0), "byte", "bytes");
    const char* const units[] = {"kB", "MB", "GB", "TB"};
    double value = static_cast<double>(bytes) / 1000;
    std::size_t unit = 0;
    // 999.6 would be written as 1000.
    while (value >= 999.5 && unit + 1 < std::size(units)) {
        value /= 1000;
        ++unit;
    }
    // The same in every locale.
    char digits[32];
    const int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
    char* const end = std::to_chars(digits, std::end(digits), value, std::chars_format::fixed, decimals).ptr;
    return std::string(digits, end) + ' ' + units[unit];
}

}  // namespace palimpsest
