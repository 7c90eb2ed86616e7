// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

namespace palimpsest {

/// `wanted` positions of 0 ... count - 1, evenly spread; all where there are no more, or where `wanted` is 0.
inline std::vector<std::int64_t> evenlySpread(std::int64_t count, std::int64_t wanted) {
    if (wanted <= 0 || wanted > count) wanted = count;
    std::vector<std::int64_t> positions;
    for (std::int64_t i = 0; i < wanted; ++i) positions.push_back(i * count / wanted);
    return positions;
}

}  // namespace palimpsest
