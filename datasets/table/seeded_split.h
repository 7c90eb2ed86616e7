// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

namespace palimpsest {

struct SeededSplit {
    std::vector<std::int64_t> train, test;
};

enum class SplitOrder {
    Sorted,    ///< both parts in data set order (ImageNet-R, GTSRB)
    Permuted,  ///< both parts in the order drawn, as torch.utils.data.random_split leaves them (CUB)
};

/// Split by torch.randperm(count) with a generator of this seed: the first 80 %, rounded down, train, the rest test.
/// Source: MISA, the loaders of ImageNet-R, GTSRB and CUB-200.
SeededSplit seededSplit(std::int64_t count, std::uint64_t seed, SplitOrder order);

}  // namespace palimpsest
