// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/text_format.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <sstream>

namespace palimpsest {

std::string fixed(double value, int decimals) {
    char text[64];
    std::snprintf(text, sizeof text, "%.*f", decimals, value);
    return text;
}

std::string percent(std::optional<double> fraction) {
    if (!fraction || !std::isfinite(*fraction)) return "    -  ";
    const std::string number = fixed(100 * *fraction, 1);
    return std::string(number.size() < 5 ? 5 - number.size() : 0, ' ') + number + " %";
}

std::string duration(double seconds) {
    const auto whole = static_cast<std::int64_t>(std::llround(std::max(0.0, seconds)));
    const auto two = [](std::int64_t number) { return (number < 10 ? "0" : "") + std::to_string(number); };
    if (whole < 60) return std::to_string(whole) + " s";
    if (whole < 3600) return std::to_string(whole / 60) + " min " + two(whole % 60) + " s";
    return std::to_string(whole / 3600) + " h " + two(whole % 3600 / 60) + " min";
}

std::string estimate(double seconds) {
    const double unit = seconds < 57.5 ? 5 : 60;
    const auto whole = static_cast<std::int64_t>(std::round(std::max(0.0, seconds) / unit) * unit);
    if (whole >= 60 && whole < 3600) return std::to_string(whole / 60) + " min";
    return duration(static_cast<double>(std::max<std::int64_t>(whole, 5)));
}

std::string wrapped(const std::string& text, std::size_t indent) {
    constexpr std::size_t kWidth = 80;
    std::string lines;
    std::size_t used = 0;  // of the current line
    std::istringstream words(text);
    for (std::string word; words >> word;) {
        const auto letters = static_cast<std::size_t>(
            std::count_if(word.begin(), word.end(), [](char c) { return (c & 0xC0) != 0x80; }));  // letters of UTF-8
        const bool first = used == 0;
        if (first || used + 1 + letters > kWidth) {
            lines += (first ? "" : "\n") + std::string(indent, ' ') + word;
            used = indent + letters;
        } else {
            lines += ' ' + word;
            used += 1 + letters;
        }
    }
    return lines + "\n";
}

std::string twoColumns(const std::vector<std::pair<std::string, std::string>>& rows) {
    std::size_t width = 0;
    for (const auto& [left, right] : rows) width = std::max(width, left.size());
    std::string text;
    for (const auto& [left, right] : rows) text += left + std::string(width + 2 - left.size(), ' ') + right + "\n";
    return text;
}

}  // namespace palimpsest
