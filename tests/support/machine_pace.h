// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "tests/support/event_meter.h"

namespace palimpsest::testing {

/// How much slower this machine is at the moment than at its best so far: other programs take their share of caches and
/// of what two logical processors have in common, which a thread's processor time counts as its own work.
class MachinePace {
public:
    MachinePace() {
        for (int i = 0; i < 5; ++i) measure();
    }
    /// At least 1.
    double slowness() {
        const double now = measure();
        return std::max(1.0, now / best_);
    }

private:
    double measure() {
        const double begin = EventMeter::threadMs();
        // Some milliseconds of memory and arithmetic.
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
    std::uint64_t kept_ = 0;  ///< so that the work is not left out
};

}  // namespace palimpsest::testing
