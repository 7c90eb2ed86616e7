// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/sweep_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>
#include <cerrno>
#include <utility>

#include "engine/config/text_file.h"
#include "engine/report/sweep_table.h"
#include "engine/support/error.h"
#include "engine/sweep/sweep_differences.h"

namespace palimpsest {

namespace fs = std::filesystem;

SweepFolder::SweepFolder(const OptionTable& table, fs::path folder, const FoundGrid& grid)
    : table_(table), folder_(fs::absolute(folder).lexically_normal()) {
    const fs::path kept = folder_ / "sweep.toml";
    std::error_code ignored;
    holds_ = fs::is_regular_file(kept, ignored);
    if (!holds_) {
        if (fs::exists(folder_, ignored) && !fs::is_empty(folder_, ignored)) {
            throw inputError("The folder " + folder_.string() + " is not empty, and it holds no sweep.",
                             "Name a new folder.");
        }
        return;
    }
    const SweepGrid before = parseSweepGrid(table, readTextFile(kept), kept.string(), report::sweepMetrics());
    const std::string difference = sweepDifference(before, grid.grid);
    if (!difference.empty()) {
        throw inputError("The folder " + folder_.string() + " holds a sweep of another grid (" + difference + ").",
                         "Name a new folder, or the grid that it was made with.");
    }
}

SweepFolder::~SweepFolder() {
    if (lock_ >= 0) close(lock_);
}

void SweepFolder::make(const FoundGrid& grid) {
    std::error_code error;
    fs::create_directories(runs(), error);
    if (error) {
        throw inputError("Cannot make the folder " + runs().string() + ": " + error.message() + ".",
                         "Choose a folder you may write to.");
    }
    if (!holds_) replaceTextFile(folder_ / "sweep.toml", grid.text);
    holds_ = true;
}

void SweepFolder::claim(bool shared) {
    if (lock_ < 0) lock_ = open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    // File systems that know no locks let everybody in.
    if (flock(lock_, (shared ? LOCK_SH : LOCK_EX) | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
    throw inputError("Another sweep is at work in " + folder_.string() + ".", "Wait for it to end, or end it.");
}

std::vector<SweepResult> SweepFolder::read(const SweepPlan& plan) const {
    std::vector<SweepResult> results;
    for (const SweepRun& run : plan.runs) results.push_back(readSweepRun(table_, run, runs()));
    return results;
}

std::vector<fs::path> SweepFolder::write(const SweepPlan& plan, const std::vector<SweepResult>& results) const {
    const report::SweepTable table = report::tabulate(plan, results);
    const std::vector<std::pair<const char*, std::string>> texts = {{"sweep.json", sweepJson(plan, results)},
                                                                    {"table.md", report::sweepMarkdown(table)},
                                                                    {"table.csv", report::sweepCsv(table)},
                                                                    {"table.tex", report::sweepLatex(table)}};
    std::vector<fs::path> files;
    for (const auto& [name, text] : texts) {
        files.push_back(folder_ / name);
        replaceTextFile(files.back(), text);
    }
    return files;
}

}  // namespace palimpsest
