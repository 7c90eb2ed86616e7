// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

namespace palimpsest {

/// Predicted classes of test images at one moment, counted by true class.
struct ConfusionCounts {
    std::vector<std::int32_t> labels;   ///< rows: the true classes that were tested, in the order in which they came
    std::vector<std::int32_t> answers;  ///< columns: the same, and kNoClassYet last where there was such an answer
    std::vector<std::int64_t> counts;   ///< row by row

    std::int64_t count(std::size_t row, std::size_t column) const { return counts[row * answers.size() + column]; }
    std::int64_t images(std::size_t row) const;
};

/// Raw labels by test image; `seen`: in order of first appearance. Lists of unequal length are compared as far as both
/// go; images that were not tested are left out.
ConfusionCounts countConfusion(const std::vector<std::int32_t>& truth, const std::vector<std::int32_t>& predictions,
                               const std::vector<std::int32_t>& seen);

}  // namespace palimpsest
