// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

#include "engine/memory/sample_memory.h"

namespace palimpsest {

/// A sample that may be remembered, and how unsure the network is of it.
struct UncertainSample {
    std::int64_t sample = 0, unit = 0;
    double uncertainty = 0;  ///< 0 (all views agree) to below 1
};

/// 1 - share of the most frequent vote, the network's answers to several views of one image (MISA,
/// methods/rainbow_memory.py, variance_ratio).
double voteUncertainty(std::span<const std::int64_t> votes);

/// Rainbow Memory's choice, as positions in `candidates`: of each class in turn capacity / classes samples, spread
/// evenly from the surest to the least sure; a smaller class gives all it has. Room that is left goes to others at
/// random (MISA, methods/rainbow_memory.py, uncertainty_sampling; Bang et al., CVPR 2021, section 4.1).
std::vector<std::int64_t> spreadByUncertainty(const std::vector<UncertainSample>& candidates, std::int64_t capacity,
                                              std::int64_t classes, const SampleMemory::Draw& draw);

}  // namespace palimpsest
