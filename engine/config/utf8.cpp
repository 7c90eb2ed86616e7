// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/config/utf8.h"

#include <cstddef>
#include <cstdint>

namespace palimpsest {

bool isPlainLine(std::string_view text) {
    std::size_t i = 0;
    while (i < text.size()) {
        const auto lead = static_cast<unsigned char>(text[i]);
        if (lead < 0x20 || lead == 0x7f) return false;
        const std::size_t length = lead < 0x80         ? 1
                                   : lead >> 5 == 0x6  ? 2
                                   : lead >> 4 == 0xe  ? 3
                                   : lead >> 3 == 0x1e ? 4
                                                       : 0;
        if (length == 0 || i + length > text.size()) return false;
        std::uint32_t code = length == 1 ? lead : lead & (0x7fu >> length);
        for (std::size_t k = 1; k < length; ++k) {
            const auto next = static_cast<unsigned char>(text[i + k]);
            if (next >> 6 != 0x2) return false;
            code = code << 6 | (next & 0x3fu);
        }
        // Overlong forms, surrogates and C1 controls are not text.
        const std::uint32_t least[] = {0, 0, 0xa0, 0x800, 0x10000};
        if (code < least[length] || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return false;
        i += length;
    }
    return true;
}

}  // namespace palimpsest
