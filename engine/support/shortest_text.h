// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <charconv>
#include <cmath>
#include <string>

namespace palimpsest {

/// The shortest decimal that reads back as the same number; it keeps looking like a real number: 1 is "1.0".
inline std::string shortestText(double value) {
    char buffer[64];
    // 0.0001 reads better than 1e-04, though that is shorter.
    const bool plain = std::abs(value) >= 1e-4 && std::abs(value) < 1e6;
    const auto [end, error] = plain ? std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed)
                                    : std::to_chars(buffer, buffer + sizeof buffer, value);
    std::string shortest(buffer, end);
    if (shortest.find_first_not_of("-0123456789") == std::string::npos) shortest += ".0";
    return shortest;
}

}  // namespace palimpsest
