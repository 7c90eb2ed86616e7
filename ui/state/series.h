// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>

namespace palimpsest {

/// Iterator to the entry of an ascending list, which is not empty, that is nearest to a place, before it or after; of
/// two that are equally near the later one. All figures and the time line go by it, so that one moment is the same
/// evaluation in each. `placeOf`: of an entry, or a pointer to the member that holds it.
template <class List, class PlaceOf = std::identity>
auto nearestIn(const List& list, double wanted, PlaceOf placeOf = {}) {
    const auto at = [&placeOf](const auto& entry) { return static_cast<double>(std::invoke(placeOf, entry)); };
    auto found = std::ranges::lower_bound(list, wanted, {}, at);
    if (found == std::end(list)) return std::prev(found);
    if (found != std::begin(list) && wanted - at(*std::prev(found)) < at(*found) - wanted) --found;
    return found;
}

/// Exponential moving mean over about `span` points: a new value weighs 2 / (span + 1). The first few are their plain
/// mean, so that it does not start from a single odd point.
class RunningMean {
public:
    explicit RunningMean(int span) : weight_(2.0 / (span + 1)) {}

    double add(double value) {
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
