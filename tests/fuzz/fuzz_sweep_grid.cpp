// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "engine/sweep/sweep_grid.h"
#include "engine/sweep/sweep_plan.h"
#include "tests/fuzz/option_table.h"
#include "tests/fuzz/target.h"

namespace palimpsest::fuzz_sweep_grid {
namespace {

// A grid may have ten thousand runs, whose experiments are not what is tried here.
constexpr std::size_t kMostPlanned = 100;

std::size_t runsOf(const SweepGrid& grid) {
    std::size_t runs = grid.seeds.size() * std::max<std::size_t>(1, grid.rows.size());
    for (const SweepAxis& axis : grid.axes) runs *= std::min<std::size_t>(axis.values.size(), kMostPlanned);
    return runs;
}

}  // namespace

FUZZ_TARGET(sweep_grid, 400) {
    static const std::vector<std::string> metrics = {"a_auc", "a_last_overall", "f_last_classwise", "a_last", "f_last"};
    const OptionTable& table = fuzz::optionTable();
    fuzz::answers([&] {
        const SweepGrid grid = parseSweepGrid(table, input, "grid.toml", metrics);
        fuzz::require(sweepDifference(grid, grid).empty(), "a grid differs from itself");
        // A base with a slash names a file, of which there is none here.
        if (runsOf(grid) <= kMostPlanned && grid.base.find('/') == std::string::npos)
            planSweep(table, grid, fuzz::scratchFolder() / "grid.toml");
    });
}

}  // namespace palimpsest::fuzz_sweep_grid
