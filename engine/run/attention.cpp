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

std::size_t attentionBlock(const ImageAttention& attention) {
    if (!attention.hasPrompts()) return attention.without.empty() ? 0 : attention.without.size() - 1;
    const auto most = std::ranges::max_element(attention.with, {}, &BlockAttention::prompts);
    return static_cast<std::size_t>(most - attention.with.begin());
}

std::string attentionSentence(const ImageAttention& attention) {
    return attentionSentence(attention, attentionBlock(attention));
}

std::string attentionSentence(const ImageAttention& attention, std::size_t block) {
    if (block >= attention.without.size()) return {};
    const BlockAttention& without = attention.without[block];
    if (!attention.hasPrompts()) {
        const bool last = block + 1 == attention.without.size();
        return std::string("The method of this run has no prompts") +
               (attention.learned ? "; this is the network as it has learned so far. In "
                                  : ", and its network never changes. In ") +
               blockWords(block) + (last ? ", the last, the" : " the") + " strongest patch is in " +
               strongestPatch(without, attention.side) + ", with " + perCent(strongestShare(without)) +
               " % of the class token's attention.";
    }
    const std::size_t most = attentionBlock(attention);
    const BlockAttention &with = attention.with.at(block), &largest = attention.with.at(most);
    const std::string before = strongestPatch(without, attention.side), now = strongestPatch(with, attention.side);
    std::string text = "In " + blockWords(block);
    if (with.prompt_tokens == 0)
        text += " there are no prompts; where they take most of the class token's attention, in " + blockWords(most) +
                ", it is " + perCent(largest.prompts) + " %.";
    else
        text += " the prompts take " + perCent(with.prompts) + " % of the class token's attention" +
                (block == most ? std::string(", the largest share of all blocks.")
                               : "; most, " + perCent(largest.prompts) + " %, in " + blockWords(most) + ".");
    return text + " Without them the strongest patch there is in " + before + " (" + perCent(strongestShare(without)) +
           " %); with them it is " + (before == now ? "the same one" : "in " + now) + " (" +
           perCent(strongestShare(with)) + " %).";
}

}  // namespace palimpsest
