// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>

namespace palimpsest {

/// Exponential moving mean over about `span` points: a new value weighs 2 / (span + 1). The first few are their plain
/// mean, so that it does not start from a single odd point.
class RunningMean {
public:
    explicit RunningMean(int span) : weight_(2.0 / (span + 1)) {}

    double take(double value) {
        if (!std::isfinite(value)) return mean_.value_or(value);
        ++count_;
        const double weight = std::max(weight_, 1.0 / static_cast<double>(count_));
        mean_ = mean_ ? *mean_ + weight * (value - *mean_) : value;
        return *mean_;
    }

private:
    const double weight_;
    std::optional<double> mean_;
    long long count_ = 0;
};

}  // namespace palimpsest
