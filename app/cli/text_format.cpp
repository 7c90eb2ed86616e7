// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/text_format.h"

#include <algorithm>
#include <sstream>

namespace palimpsest {

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
