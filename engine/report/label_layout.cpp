// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/report/label_layout.h"

#include <algorithm>
#include <numeric>

namespace palimpsest::report {
namespace {

/// The labels that fit, best ranks first, then ordered by wished centre.
std::vector<std::size_t> chooseLabels(std::span<const LabelWish> wishes, double room, double gap) {
    std::vector<std::size_t> order(wishes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return wishes[a].rank < wishes[b].rank; });
    std::vector<std::size_t> chosen;
    double used = -gap;
    for (const std::size_t index : order) {
        if (used + gap + wishes[index].height > room) break;
        used += gap + wishes[index].height;
        chosen.push_back(index);
    }
    std::stable_sort(chosen.begin(), chosen.end(), [&](std::size_t a, std::size_t b) {
        return wishes[a].centre < wishes[b].centre || (wishes[a].centre == wishes[b].centre && a < b);
    });
    return chosen;
}

/// The nearest non-decreasing sequence (least squares).
std::vector<double> isotonic(std::span<const double> wanted) {
    struct Pool {
        double sum = 0;
        std::size_t count = 0;
        double mean() const { return sum / static_cast<double>(count); }
    };
    std::vector<Pool> pools;
    for (const double value : wanted) {
        pools.push_back({value, 1});
        while (pools.size() > 1 && pools[pools.size() - 2].mean() > pools.back().mean()) {
            const Pool last = pools.back();
            pools.pop_back();
            pools.back().sum += last.sum;
            pools.back().count += last.count;
        }
    }
    std::vector<double> result;
    result.reserve(wanted.size());
    for (const Pool& pool : pools) result.insert(result.end(), pool.count, pool.mean());
    return result;
}

}  // namespace

std::vector<std::optional<double>> placeLabels(std::span<const LabelWish> wishes, double low, double high, double gap) {
    std::vector<std::optional<double>> placed(wishes.size());
    const std::vector<std::size_t> chosen = chooseLabels(wishes, high - low, gap);
    if (chosen.empty()) return placed;
    // With the stacked distances taken off, "no overlap" becomes "not decreasing".
    std::vector<double> stack(chosen.size(), 0.0);
    std::vector<double> wanted(chosen.size());
    for (std::size_t k = 0; k < chosen.size(); ++k) {
        const LabelWish& wish = wishes[chosen[k]];
        if (k > 0) stack[k] = stack[k - 1] + (wishes[chosen[k - 1]].height + wish.height) / 2 + gap;
        wanted[k] = wish.centre - stack[k];
    }
    const double first = low + wishes[chosen.front()].height / 2;
    const double last = std::max(first, high - wishes[chosen.back()].height / 2 - stack.back());
    const std::vector<double> best = isotonic(wanted);
    for (std::size_t k = 0; k < chosen.size(); ++k) placed[chosen[k]] = std::clamp(best[k], first, last) + stack[k];
    return placed;
}

}  // namespace palimpsest::report
