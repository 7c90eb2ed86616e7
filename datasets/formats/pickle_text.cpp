// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/formats/pickle_text.h"

#include <algorithm>
#include <charconv>
#include <cstdint>

namespace palimpsest {
namespace {

std::optional<std::uint32_t> digits(std::string_view text, std::size_t count, int base) {
    std::uint32_t value = 0;
    if (count == 0 || text.size() < count) return std::nullopt;
    const auto [end, failure] = std::from_chars(text.begin(), text.begin() + count, value, base);
    if (failure != std::errc() || end != text.begin() + count) return std::nullopt;
    return value;
}

void addUtf8(std::string& text, std::uint32_t code) {
    const auto add = [&](std::uint32_t byte) { text += static_cast<char>(byte); };
    if (code < 0x80) {
        add(code);
    } else if (code < 0x800) {
        add(0xc0U | code >> 6U);
        add(0x80U | (code & 0x3fU));
    } else {
        add(0xe0U | code >> 12U);
        add(0x80U | (code >> 6U & 0x3fU));
        add(0x80U | (code & 0x3fU));
    }
}

}  // namespace

std::optional<std::string> unescapedString(std::string_view text) {
    static constexpr std::string_view kLetters = "abfnrtv\\'\"";
    static constexpr std::string_view kMeanings = "\a\b\f\n\r\t\v\\'\"";
    std::string plain;
    plain.reserve(text.size());
    while (!text.empty()) {
        const char first = text.front();
        text.remove_prefix(1);
        if (first != '\\') {
            plain += first;
            continue;
        }
        if (text.empty()) return std::nullopt;
        const char letter = text.front();
        if (const std::size_t known = kLetters.find(letter); known != std::string_view::npos) {
            plain += kMeanings[known];
            text.remove_prefix(1);
            continue;
        }
        const bool hex = letter == 'x';
        if (hex) text.remove_prefix(1);
        const std::size_t octal = std::min({text.find_first_not_of("01234567"), text.size(), std::size_t{3}});
        const std::size_t length = hex ? 2 : octal;
        const auto code = digits(text, length, hex ? 16 : 8);
        if (!code || *code > 0xff) return std::nullopt;
        plain += static_cast<char>(*code);
        text.remove_prefix(length);
    }
    return plain;
}

std::optional<std::string> unescapedUnicode(std::string_view text) {
    std::string plain;
    plain.reserve(text.size());
    while (!text.empty()) {
        std::uint32_t code = static_cast<unsigned char>(text.front());
        std::size_t length = 1;
        if (text.starts_with("\\u")) {
            const auto escaped = digits(text.substr(2), 4, 16);
            if (!escaped) return std::nullopt;
            code = *escaped;
            length = 6;
        }
        addUtf8(plain, code);
        text.remove_prefix(length);
    }
    return plain;
}

std::optional<std::string> latin1Bytes(std::string_view text) {
    std::string bytes;
    bytes.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto lead = static_cast<unsigned char>(text[i]);
        if (lead < 0x80) {
            bytes += text[i];
            continue;
        }
        if ((lead != 0xc2 && lead != 0xc3) || i + 1 == text.size()) return std::nullopt;
        const auto next = static_cast<unsigned char>(text[++i]);
        if (next >> 6U != 2) return std::nullopt;
        bytes += static_cast<char>((lead & 3U) << 6U | (next & 0x3fU));
    }
    return bytes;
}

}  // namespace palimpsest
