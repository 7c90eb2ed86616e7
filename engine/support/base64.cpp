// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/support/base64.h"

#include <array>
#include <cstdint>

namespace palimpsest {
namespace {

constexpr std::string_view kBase64Digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::uint8_t kNoDigit = 64;

constexpr std::array<std::uint8_t, 256> kDigitValues = [] {
    std::array<std::uint8_t, 256> values{};
    values.fill(kNoDigit);
    for (std::size_t i = 0; i < kBase64Digits.size(); ++i)
        values[static_cast<std::uint8_t>(kBase64Digits[i])] = static_cast<std::uint8_t>(i);
    return values;
}();

}  // namespace

std::string base64(std::span<const std::byte> bytes) {
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        std::uint32_t three = 0;
        for (std::size_t k = 0; k < 3; ++k)
            three = three << 8U | (i + k < bytes.size() ? static_cast<std::uint32_t>(bytes[i + k]) : 0U);
        for (std::size_t k = 0; k < 4; ++k)
            text += i + k <= bytes.size() ? kBase64Digits[three >> (18 - 6 * k) & 63U] : '=';
    }
    return text;
}

std::optional<std::vector<std::byte>> bytesOfBase64(std::string_view text) {
    if (text.size() % 4 != 0) return std::nullopt;
    std::size_t padding = 0;
    while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=') ++padding;
    std::vector<std::byte> bytes;
    bytes.reserve(text.size() / 4 * 3);
    for (std::size_t i = 0; i < text.size(); i += 4) {
        const std::size_t missing = i + 4 == text.size() ? padding : 0;
        std::uint32_t three = 0;
        for (std::size_t k = 0; k < 4; ++k) {
            const std::uint8_t digit = k < 4 - missing ? kDigitValues[static_cast<std::uint8_t>(text[i + k])] : 0;
            if (digit == kNoDigit) return std::nullopt;
            three = three << 6U | digit;
        }
        // Bits that no byte takes are 0 where base64() wrote them.
        if (missing > 0 && (three & ((1U << (8 * missing)) - 1)) != 0) return std::nullopt;
        for (std::size_t k = 0; k < 3 - missing; ++k)
            bytes.push_back(static_cast<std::byte>(three >> (16 - 8 * k) & 0xFFU));
    }
    return bytes;
}

}  // namespace palimpsest
