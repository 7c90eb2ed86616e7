// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/support/utf8.h"

#include <cstddef>
#include <cstdint>

namespace palimpsest {

namespace {

/// Bytes of the well-formed character at the front of a text that is not empty; 0 where there is none, or a control
/// character.
std::size_t plainCharacter(std::string_view text) {
    const auto lead = static_cast<unsigned char>(text[0]);
    if (lead < 0x20 || lead == 0x7f) return 0;
    const std::size_t length = lead < 0x80         ? 1
                               : lead >> 5 == 0x6  ? 2
                               : lead >> 4 == 0xe  ? 3
                               : lead >> 3 == 0x1e ? 4
                                                   : 0;
    if (length == 0 || length > text.size()) return 0;
    std::uint32_t code = length == 1 ? lead : lead & (0x7fu >> length);
    for (std::size_t k = 1; k < length; ++k) {
        const auto next = static_cast<unsigned char>(text[k]);
        if (next >> 6 != 0x2) return 0;
        code = code << 6 | (next & 0x3fu);
    }
    // Overlong forms, surrogates and C1 controls are not text.
    const std::uint32_t least[] = {0, 0, 0xa0, 0x800, 0x10000};
    return code < least[length] || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? 0 : length;
}

}  // namespace

bool isPlainLine(std::string_view text) {
    while (!text.empty()) {
        const std::size_t length = plainCharacter(text);
        if (length == 0) return false;
        text.remove_prefix(length);
    }
    return true;
}

std::string plainLine(std::string_view text) {
    std::string plain;
    while (!text.empty()) {
        const std::size_t length = plainCharacter(text);
        if (length == 0) {
            plain += '?';
        } else {
            plain += text.substr(0, length);
        }
        text.remove_prefix(length == 0 ? 1 : length);
    }
    return plain;
}

std::string shortLine(std::string_view text) {
    constexpr std::size_t kMost = 100;
    if (text.size() <= kMost) return plainLine(text);
    std::size_t end = kMost;
    // No half characters: those that go on have the bits 10 in front.
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0u) == 0x80) --end;
    return plainLine(text.substr(0, end)) + "...";
}

}  // namespace palimpsest
