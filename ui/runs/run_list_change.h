// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <vector>

#include "ui/runs/run_lines.h"

namespace palimpsest {

/// How one list of runs becomes another. Plain data, made on any thread.
struct RunListChange {
    /// So many lines may come and go one by one.
    static constexpr std::size_t kFew = 50;

    enum class Kind {
        Same,  ///< the same lines in the same order
        Few,   ///< selection and scroll position can stay
        All
    };
    Kind kind = Kind::All;
    int first = -1, last = -1;  ///< Same: the lines that say something new lie between them; -1: none do
    std::vector<int> gone;      ///< Few: lines that go, by their old places, rising
    bool moved = false;         ///< Few: those that stay change their order
    std::vector<int> places;    ///< then, of each line that stays, where it goes among them
    std::vector<int> came;      ///< Few: lines that come, by their new places, rising
};

RunListChange changeOf(const RunArrangement& before, const RunArrangement& after);

}  // namespace palimpsest
