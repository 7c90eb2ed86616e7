// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/attention.h"

#include <algorithm>

#include "engine/support/format.h"

namespace palimpsest {
namespace {

std::string blockWords(std::size_t block) {
    return "block " + std::to_string(block + 1);
}

double strongestShare(const BlockAttention& block) {
    return block.patches.empty() ? 0 : static_cast<double>(std::ranges::max(block.patches));
}

}  // namespace

std::string strongestPatch(const BlockAttention& block, std::int64_t side) {
    if (block.patches.empty() || side < 1) return "none";
    const auto place = std::ranges::max_element(block.patches) - block.patches.begin();
    return "row " + std::to_string(place / side + 1) + ", column " + std::to_string(place % side + 1);
}

std::string attentionSentence(const ImageAttention& attention) {
    if (attention.without.empty()) return {};
    if (!attention.hasPrompts()) {
        const std::size_t last = attention.without.size() - 1;
        const BlockAttention& block = attention.without[last];
        return std::string("The method of this run has no prompts") +
               (attention.learned ? "; this is the network as it has learned so far. In "
                                  : ", and its network never changes. In ") +
               blockWords(last) + ", the last, the strongest patch is in " + strongestPatch(block, attention.side) +
               ", with " + perCent(strongestShare(block)) + " % of the class token's attention.";
    }
    const auto most = std::ranges::max_element(attention.with, {}, &BlockAttention::prompts);
    const auto place = static_cast<std::size_t>(most - attention.with.begin());
    const BlockAttention &with = *most, &without = attention.without.at(place);
    const std::string before = strongestPatch(without, attention.side), now = strongestPatch(with, attention.side);
    return "In " + blockWords(place) + " the prompts take " + perCent(with.prompts) +
           " % of the class token's attention, the largest share of all blocks. Without them the strongest patch there "
           "is "
           "in " +
           before + " (" + perCent(strongestShare(without)) + " %); with them it is " +
           (before == now ? "the same one" : "in " + now) + " (" + perCent(strongestShare(with)) + " %).";
}

}  // namespace palimpsest
