// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/support/min_max_pyramid.h"

#include <algorithm>

namespace palimpsest {

std::size_t MinMaxPyramid::blockSize(std::size_t level) {
    std::size_t size = kBase;
    for (; level > 0; --level) size *= kFan;
    return size;
}

void MinMaxPyramid::add(double x, double y) {
    std::size_t block = kBase;
    for (std::size_t k = 0;; ++k, block *= kFan) {
        // A level that would hold one block says no more than that block's parts.
        if (k == levels_.size()) {
            if (k > 0 && levels_[k - 1].size() <= kFan) break;
            levels_.emplace_back();
            if (k > 0) {
                const std::vector<Block>& below = levels_[k - 1];
                // All of them but the newest, which the loop takes itself.
                for (std::size_t i = 0; i + 1 < below.size(); ++i) {
                    if (i % kFan == 0) levels_[k].push_back({below[i].x, {}, 0});
                    levels_[k].back().values.add(below[i].values);
                    levels_[k].back().sum += below[i].sum;
                }
            }
        }
        std::vector<Block>& level = levels_[k];
        if (size_ / block == level.size()) level.push_back({x, {}, 0});
        level.back().add(y);
    }
    ++size_;
}

void MinMaxPyramid::clear() {
    levels_.clear();
    size_ = 0;
}

std::size_t MinMaxPyramid::levelFor(double points) const {
    std::size_t found = levels_.size();
    for (std::size_t k = 0; k < levels_.size() && static_cast<double>(blockSize(k)) <= points; ++k) found = k;
    return found;
}

std::size_t PointSeries::lower(double x) const {
    return static_cast<std::size_t>(std::lower_bound(xs_.begin(), xs_.end(), x) - xs_.begin());
}

std::size_t PointSeries::upper(double x) const {
    return static_cast<std::size_t>(std::upper_bound(xs_.begin(), xs_.end(), x) - xs_.begin());
}

Extremes PointSeries::between(double from, double to) const {
    const std::size_t first = lower(from), last = upper(to);
    return first < last ? pyramid_.over(first, last, [this](std::size_t i) { return ys_[i]; }) : Extremes();
}

}  // namespace palimpsest
