// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "tests/support/event_meter.h"

namespace palimpsest::testing {

/// Slowness of this machine now, compared to its best so far: other programs use caches and resources that two logical
/// processors share, which counts as processor time of the thread itself.
class MachinePace {
public:
    MachinePace() {
        for (int i = 0; i < 5; ++i) measure();
    }
    /// Current slowness, at least 1.
    double slowness() {
        const double now = measure();
        return std::max(1.0, now / best_);
    }

private:
    double measure() {
        const double begin = EventMeter::threadMs();
        // A few milliseconds of memory access and arithmetic.
        std::vector<std::uint64_t> numbers(1 << 16);
        std::uint64_t state = 1;
        for (auto& number : numbers) number = state = state * 6364136223846793005U + 1442695040888963407U;
        std::sort(numbers.begin(), numbers.end());
        kept_ = std::accumulate(numbers.begin(), numbers.end(), kept_);
        const double took = EventMeter::threadMs() - begin;
        best_ = std::min(best_, took);
        return took;
    }

    double best_ = std::numeric_limits<double>::infinity();
    std::uint64_t kept_ = 0;  ///< keeps the compiler from removing the work
};

}  // namespace palimpsest::testing
