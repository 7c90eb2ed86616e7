// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <vector>

namespace palimpsest {

/// How long the rest of a sweep takes, from how long its finished runs took. Rows differ: a batch of one image takes
/// many times longer than one of 64, so each row counts for itself as soon as it can.
class SweepPace {
public:
    struct Running {
        std::size_t line = 0;
        double seconds = 0;  ///< so far
    };
    struct Left {
        double seconds = 0;
        bool rough = false;  ///< of some row no run has finished; it counts like the others
    };

    void finished(std::size_t line, double seconds);
    /// Absent until a run has finished. `waiting`: the lines of runs that have not begun; `jobs` run at once.
    std::optional<Left> left(const std::vector<std::size_t>& waiting, const std::vector<Running>& running,
                             int jobs) const;

private:
    struct Sum {
        double seconds = 0;
        int runs = 0;
        double mean() const { return seconds / runs; }
    };
    std::map<std::size_t, Sum> lines_;
    Sum all_;
};

}  // namespace palimpsest
