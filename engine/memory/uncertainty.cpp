// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/memory/uncertainty.h"

#include <algorithm>
#include <map>

namespace palimpsest {

double voteUncertainty(std::span<const std::int64_t> votes) {
    std::map<std::int64_t, std::int64_t> counts;
    std::int64_t most = 0;
    for (const std::int64_t vote : votes) most = std::max(most, ++counts[vote]);
    return votes.empty() ? 0 : 1 - static_cast<double>(most) / static_cast<double>(votes.size());
}

std::vector<std::int64_t> spreadByUncertainty(const std::vector<UncertainSample>& candidates, std::int64_t capacity,
                                              std::int64_t classes, const SampleMemory::Draw& draw) {
    std::vector<std::int64_t> chosen;
    if (capacity <= 0 || classes <= 0) return chosen;
    const std::int64_t each = capacity / classes;
    std::vector<bool> taken(candidates.size(), false);
    const auto take = [&](std::int64_t position) {
        chosen.push_back(position);
        taken[static_cast<std::size_t>(position)] = true;
    };
    for (std::int64_t unit = 0; unit < classes && each > 0; ++unit) {
        std::vector<std::int64_t> members;
        for (std::size_t i = 0; i < candidates.size(); ++i)
            if (candidates[i].unit == unit) members.push_back(static_cast<std::int64_t>(i));
        const std::int64_t held = static_cast<std::int64_t>(members.size());
        if (held > each)
            std::stable_sort(members.begin(), members.end(), [&](std::int64_t a, std::int64_t b) {
                return candidates[static_cast<std::size_t>(a)].uncertainty <
                       candidates[static_cast<std::size_t>(b)].uncertainty;
            });
        const std::int64_t step = std::max<std::int64_t>(1, held / each);
        for (std::int64_t i = 0, given = 0; i < held && given < each; i += step, ++given)
            take(members[static_cast<std::size_t>(i)]);
    }
    std::vector<std::int64_t> others;
    for (std::size_t i = 0; i < candidates.size(); ++i)
        if (!taken[i]) others.push_back(static_cast<std::int64_t>(i));
    while (static_cast<std::int64_t>(chosen.size()) < capacity && !others.empty()) {
        const auto at = static_cast<std::size_t>(draw(static_cast<std::int64_t>(others.size())));
        take(others[at]);
        others[at] = others.back();
        others.pop_back();
    }
    return chosen;
}

}  // namespace palimpsest
