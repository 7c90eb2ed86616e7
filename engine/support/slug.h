// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "engine/support/small_letter.h"

namespace palimpsest {

/// A name as part of a file name: "DualPrompt, batch mask" -> "dualprompt-batch-mask". Empty where no letter or digit
/// is.
inline std::string slug(std::string_view name, std::size_t longest) {
    std::string text;
    for (const char c : name) {
        const char small = smallLetter(c);
        if ((small >= '0' && small <= '9') || (small >= 'a' && small <= 'z')) {
            text += small;
        } else if (!text.empty() && text.back() != '-') {
            text += '-';
        }
        if (text.size() == longest) {
            break;
        }
    }
    while (text.ends_with('-')) {
        text.pop_back();
    }
    return text;
}

}  // namespace palimpsest
