// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>

namespace palimpsest {

/// Tells work whose progress stands still, as that of a learner that hangs, from work that is slow: it has not moved
/// for a minute at least, and for much longer than ever before.
class Standstill {
public:
    static constexpr std::int64_t kLeastMs = 60'000;
    static constexpr std::int64_t kTimesLonger = 3;

    /// The share that is done, 0..1, at this time in milliseconds.
    void note(double share, std::int64_t now) {
        if (moved_ != 0 && share == share_) return;
        if (moved_ != 0) longest_ = std::max(longest_, now - moved_);
        moved_ = now;
        share_ = share;
    }
    /// False before anything is done: preparations have no progress.
    bool stands(std::int64_t now) const {
        return share_ > 0 && share_ < 1 && now - moved_ > std::max(kLeastMs, kTimesLonger * longest_);
    }

private:
    double share_ = 0;
    std::int64_t moved_ = 0;    ///< when it did last; 0: nothing is known yet
    std::int64_t longest_ = 0;  ///< longest time between two moves
};

}  // namespace palimpsest
