// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/sweep_pace.h"

#include <algorithm>

namespace palimpsest {

void SweepPace::finished(std::size_t line, double seconds) {
    for (Sum* sum : {&lines_[line], &all_}) {
        sum->seconds += seconds;
        ++sum->runs;
    }
}

std::optional<SweepPace::Left> SweepPace::left(const std::vector<std::size_t>& waiting,
                                               const std::vector<Running>& running, int jobs) const {
    if (all_.runs == 0) return std::nullopt;
    Left left;
    double work = 0;
    double longest = 0;
    const auto add = [&](std::size_t line, double spent) {
        const auto known = lines_.find(line);
        left.rough = left.rough || known == lines_.end();
        const double seconds = std::max(0.0, (known == lines_.end() ? all_ : known->second).mean() - spent);
        work += seconds;
        longest = std::max(longest, seconds);
    };
    for (const std::size_t line : waiting) add(line, 0);
    for (const Running& run : running) add(run.line, run.seconds);
    left.seconds = std::max(longest, work / std::max(1, jobs));
    return left;
}

}  // namespace palimpsest
