// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace palimpsest::test {

/// Independent expectation: torch.randperm(n) on a processor, implemented from PyTorch's definition.
inline std::vector<std::int64_t> torchPermutation(std::int64_t n, std::uint32_t seed) {
    std::mt19937 words(seed);
    std::vector<std::int64_t> items;
    for (std::int64_t i = 0; i < n; ++i) items.push_back(i);
    for (std::size_t i = 0; i + 1 < items.size(); ++i) std::swap(items[i], items[i + words() % (items.size() - i)]);
    return items;
}

/// Its first 80 % (train) or the rest (test).
inline std::vector<std::int64_t> splitPart(std::int64_t n, std::uint32_t seed, bool train, bool sorted) {
    const auto drawn = torchPermutation(n, seed);
    const auto border = drawn.begin() + n * 8 / 10;
    std::vector<std::int64_t> part(train ? drawn.begin() : border, train ? border : drawn.end());
    if (sorted) std::sort(part.begin(), part.end());
    return part;
}

}  // namespace palimpsest::test
