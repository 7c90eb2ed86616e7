// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/remote/sweep_whole.h"

#include <utility>

#include "engine/remote/remote_sweep.h"
#include "engine/support/error.h"
#include "engine/support/file_io.h"
#include "engine/sweep/sweep_grid.h"
#include "engine/sweep/sweep_plan.h"

namespace palimpsest {

namespace fs = std::filesystem;

SweepWhole::SweepWhole(const OptionTable& table, std::vector<std::string> metrics, fs::path folder,
                       const RemoteShell* shell)
    : table_(table), metrics_(std::move(metrics)), folder_(std::move(folder)), shell_(shell) {}

std::optional<std::size_t> SweepWhole::planned() {
    const fs::path file = folder_ / "sweep.toml";
    const std::string grid = changeStamp(file), now = grid + changeStamp(folder_ / kKeptBase);
    if (!grid.empty() && now == seen_) return planned_;
    seen_.clear();
    planned_.reset();
    try {
        const std::string text = readTextFile(file, FilePlace::InFolder, file_limit::kSettings);
        planned_ = planSweep(table_, parseSweepGrid(table_, text, file.string(), metrics_), file).runs.size();
    } catch (const Error&) {
        // Its grid begins with a file of the other machine, or has not come yet.
        if (shell_) planned_ = runsSubmitted(*shell_);
    }
    if (!grid.empty()) seen_ = now;
    return planned_;
}

bool SweepWhole::operator()(std::size_t runs) {
    const std::optional<std::size_t> all = planned();
    return all && runs >= *all;
}

}  // namespace palimpsest
