// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/config/block_list.h"

#include <charconv>
#include <string_view>

#include "engine/support/error.h"

namespace palimpsest {

std::vector<std::int64_t> blockList(const std::string& key, const std::string& text) {
    constexpr std::int64_t kLast = 999;  // deeper networks are refused anyway
    const auto refused = [&](const std::string& why) {
        return inputError(key + " is \"" + text + "\", " + why + ".",
                          "Write rising numbers with commas between them, such as 0,1, or none.");
    };
    if (text == "none") return {};
    std::vector<std::int64_t> blocks;
    std::string_view rest = text;
    while (true) {
        const std::size_t comma = rest.find(',');
        std::string_view word = rest.substr(0, comma);
        while (word.starts_with(' ')) word.remove_prefix(1);
        while (word.ends_with(' ')) word.remove_suffix(1);
        std::int64_t block = -1;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), block);
        if (error != std::errc() || end != word.data() + word.size() || block < 0 || block > kLast)
            throw refused("which is no list of blocks from 0 to " + std::to_string(kLast));
        if (!blocks.empty() && block == blocks.back())
            throw refused("which names block " + std::to_string(block) + " twice");
        if (!blocks.empty() && block < blocks.back())
            throw refused("where block " + std::to_string(block) + " comes after " + std::to_string(blocks.back()));
        blocks.push_back(block);
        if (comma == std::string_view::npos) return blocks;
        rest.remove_prefix(comma + 1);
    }
}

}  // namespace palimpsest
