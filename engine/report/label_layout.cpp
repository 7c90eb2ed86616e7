// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/report/label_layout.h"

#include <algorithm>
#include <numeric>

namespace palimpsest::report {
namespace {

/// The labels that fit, best ranks first, then ordered by wanted centre.
std::vector<std::size_t> chooseLabels(std::span<const LabelRequest> requests, double room, double gap) {
    std::vector<std::size_t> order(requests.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return requests[a].rank < requests[b].rank; });
    std::vector<std::size_t> chosen;
    double used = -gap;
    for (const std::size_t index : order) {
        if (used + gap + requests[index].height > room) break;
        used += gap + requests[index].height;
        chosen.push_back(index);
    }
    std::stable_sort(chosen.begin(), chosen.end(), [&](std::size_t a, std::size_t b) {
        return requests[a].centre < requests[b].centre || (requests[a].centre == requests[b].centre && a < b);
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

std::vector<std::optional<double>> placeLabels(std::span<const LabelRequest> requests, double low, double high,
                                               double gap) {
    std::vector<std::optional<double>> placed(requests.size());
    const std::vector<std::size_t> chosen = chooseLabels(requests, high - low, gap);
    if (chosen.empty()) return placed;
    // With the stacked distances taken off, "no overlap" becomes "not decreasing".
    std::vector<double> stack(chosen.size(), 0.0);
    std::vector<double> wanted(chosen.size());
    for (std::size_t k = 0; k < chosen.size(); ++k) {
        const LabelRequest& request = requests[chosen[k]];
        if (k > 0) stack[k] = stack[k - 1] + (requests[chosen[k - 1]].height + request.height) / 2 + gap;
        wanted[k] = request.centre - stack[k];
    }
    const double first = low + requests[chosen.front()].height / 2;
    const double last = std::max(first, high - requests[chosen.back()].height / 2 - stack.back());
    const std::vector<double> best = isotonic(wanted);
    for (std::size_t k = 0; k < chosen.size(); ++k) placed[chosen[k]] = std::clamp(best[k], first, last) + stack[k];
    return placed;
}

}  // namespace palimpsest::report
