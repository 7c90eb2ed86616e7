// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/table/seeded_split.h"

#include "engine/support/random.h"

#include <algorithm>

namespace palimpsest {

SeededSplit seededSplit(std::int64_t count, std::uint64_t seed, SplitOrder order) {
    const std::vector<std::int64_t> drawn = TorchRandom(seed).permutation(count);
    // Computed in floating point, as in the official code.
    const auto border = drawn.begin() + static_cast<std::int64_t>(0.8 * static_cast<double>(count));
    SeededSplit split{{drawn.begin(), border}, {border, drawn.end()}};
    if (order == SplitOrder::Sorted) {
        std::sort(split.train.begin(), split.train.end());
        std::sort(split.test.begin(), split.test.end());
    }
    return split;
}

}  // namespace palimpsest
