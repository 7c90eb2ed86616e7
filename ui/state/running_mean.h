// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cmath>

namespace palimpsest {

/// Exponential moving mean over about `span` points: a new value weighs 2 / (span + 1). The first few are their plain
/// mean, so that it does not start from a single odd point.
class RunningMean {
public:
    explicit RunningMean(int span) : weight_(2.0 / (span + 1)) {}

    double take(double value) {
        if (!std::isfinite(value)) return count_ > 0 ? mean_ : value;
        ++count_;
        const double weight = std::max(weight_, 1.0 / static_cast<double>(count_));
        mean_ = count_ > 1 ? mean_ + weight * (value - mean_) : value;
        return mean_;
    }

private:
    const double weight_;
    double mean_ = 0;  ///< of the values that have come, if any
    long long count_ = 0;
};

}  // namespace palimpsest
