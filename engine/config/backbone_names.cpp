// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/config/backbone_names.h"

#include <algorithm>
#include <array>
#include <utility>

#include "engine/support/text.h"

namespace palimpsest {
namespace {

constexpr std::size_t kMostBackbones = 3;
constexpr std::size_t kLongestBackbone = 200;

/// Words of timm and Hugging Face in the short form of papers.
std::string shortBackboneWord(std::string word) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kShort = {
        {{"tiny", "ti"}, {"small", "s"}, {"base", "b"}, {"large", "l"}, {"huge", "h"}, {"224", ""}, {"vit", ""}}};
    for (const auto& [whole, part] : kShort)
        if (word == whole) return std::string(part);
    if (word.starts_with("patch")) return word.substr(5);
    // "dinov2_vits14".
    if (word.starts_with("vit")) return word.substr(3);
    return word;
}

/// One form of all ways to write a name: "vit_base_patch16_224", "ViT-B/16" and "vit-b16" are "b16".
std::string plainBackbone(std::string_view name) {
    std::string all, word;
    for (const char c : asciiLowered(name) + " ") {
        if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) {
            word += c;
            continue;
        }
        all += shortBackboneWord(std::exchange(word, {}));
    }
    return all;
}

}  // namespace

std::vector<std::string> nearestBackbones(std::string_view word, std::span<const std::string> known) {
    constexpr std::size_t kShortest = 2;
    if (word.size() > kLongestBackbone) return {};
    const std::string plain = plainBackbone(word);
    const auto those = [&](const auto& fits) {
        std::vector<std::string> names;
        for (const std::string& name : known)
            if (names.size() < kMostBackbones && fits(plainBackbone(name))) names.push_back(name);
        return names;
    };
    const bool enough = plain.size() >= kShortest;
    if (enough)
        if (auto same = those([&](const std::string& other) { return other == plain; }); !same.empty()) return same;
    if (std::string near = nearestWord(word, known); !near.empty()) return {std::move(near)};
    if (!enough) return {};
    if (auto longer = those([&](const std::string& other) { return other.starts_with(plain); }); !longer.empty())
        return longer;
    // The maker's name may stand in front, and more behind.
    if (auto within = those([&](const std::string& other) {
            return other.size() > kShortest &&
                   (other.find(plain) != std::string::npos || plain.find(other) != std::string::npos);
        });
        !within.empty())
        return within;
    std::vector<std::string> forms;
    for (const std::string& name : known) forms.push_back(plainBackbone(name));
    const std::string near = nearestWord(plain, forms);
    return near.empty() ? std::vector<std::string>() : those([&](const std::string& other) { return other == near; });
}

std::string backboneMeant(std::string_view word, std::span<const std::string> known, const std::string& otherwise) {
    const std::vector<std::string> near = nearestBackbones(word, known);
    return near.empty() ? otherwise : "Did you mean " + enumeration(near, " or ") + "?";
}

}  // namespace palimpsest
