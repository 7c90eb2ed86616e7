// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace palimpsest {

/// "12,000".
inline std::string grouped(std::int64_t number) {
    const std::string digits = std::to_string(number);
    std::string text;
    for (std::size_t i = 0; i < digits.size(); ++i) {
        const bool border = i > 0 && (digits.size() - i) % 3 == 0 && digits[i - 1] != '-';
        if (border) text += ',';
        text += digits[i];
    }
    return text;
}

/// "1 session", "12,000 sessions".
inline std::string counted(std::int64_t number, const char* one, const char* many) {
    return grouped(number) + ' ' + (number == 1 ? one : many);
}

}  // namespace palimpsest
