// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/stream/stream_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace palimpsest {

namespace {

/// Width in letters rather than bytes, so that names with accents stay in their columns.
std::size_t width(const std::string& text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

}  // namespace

std::string decimal(std::optional<double> value, int digits) {
    if (!value || !std::isfinite(*value)) return "-";
    char buffer[400];
    const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, *value, std::chars_format::fixed, digits);
    return std::string(buffer, end);
}

std::string classText(std::int64_t label, std::span<const std::string> names) {
    const auto index = static_cast<std::size_t>(label);
    return std::to_string(label) + (index < names.size() ? " (" + names[index] + ")" : "");
}

const char* kindWord(std::int64_t homeSession, bool blurry) {
    return homeSession < 0 ? "none" : blurry ? "blurry" : "disjoint";
}

std::string alignedTable(const std::vector<std::vector<std::string>>& rows) {
    std::vector<std::size_t> widths;
    for (const auto& row : rows) {
        widths.resize(std::max(widths.size(), row.size()), 0);
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width(row[i]));
    }
    std::string text;
    for (const auto& row : rows) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            const std::string space(widths[i] - width(row[i]), ' ');
            text += i == 0 ? row[i] + space : "  " + space + row[i];
        }
        text.erase(text.find_last_not_of(' ') + 1);
        text += '\n';
    }
    return text;
}

}  // namespace palimpsest
