// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/sweep_folder.h"

#include <fcntl.h>
#include <unistd.h>
#include <algorithm>
#include <utility>

#include "engine/report/grid_file.h"
#include "engine/report/sweep_table.h"
#include "engine/support/error.h"
#include "engine/support/file_io.h"
#include "engine/support/file_lock.h"
#include "engine/sweep/sweep_grid.h"

namespace palimpsest {

namespace fs = std::filesystem;

namespace {

/// True if the folder has anything but the grid of a sweep that another program is about to begin.
bool holdsOtherThings(const fs::path& folder) {
    std::error_code error;
    if (!fs::exists(folder, error)) return false;
    const fs::directory_iterator entries(folder, error);
    return error || std::any_of(fs::begin(entries), fs::end(entries), [](const fs::directory_entry& entry) {
               const std::string name = entry.path().filename().string();
               return !name.starts_with("sweep.toml") && name != kMiniatureData;
           });
}

/// Writes the whole text or nothing. False when the file exists: of several programs, the first makes it.
bool makeTextFile(const fs::path& file, const std::string& text) {
    AsideFile aside(file, FilePlace::InFolder);
    aside.write(text);
    aside.sync();
    std::error_code error;
    // Unlike renaming, this replaces no other file.
    fs::create_hard_link(aside.path(), file, error);
    if (error == std::errc::file_exists) return false;
    // Some file systems have no links.
    if (error)
        aside.publish(Keep::OnDiskWithName);
    else
        syncFile(file.parent_path());
    return true;
}

}  // namespace

SweepFolder::SweepFolder(const OptionTable& table, fs::path folder, const FoundGrid& grid)
    : table_(table), folder_(fs::absolute(folder).lexically_normal()) {
    // Checked first: a sweep that begins at this moment makes its grid before anything else.
    const bool foreign = holdsOtherThings(folder_);
    std::error_code ignored;
    holds_ = fs::exists(fs::symlink_status(gridFile(), ignored));
    requirePlainFolder(runs());
    if (holds_) {
        requireSame(grid);
    } else if (foreign) {
        throw inputError("The folder " + folder_.string() + " is not empty, and it holds no sweep.",
                         "Name a new folder.");
    }
}

SweepFolder::~SweepFolder() {
    if (lock_ >= 0) close(lock_);
}

void SweepFolder::requireSame(const FoundGrid& grid) const {
    const SweepGrid before = report::readGridFile(table_, gridFile(), FilePlace::InFolder);
    const std::string difference = sweepDifference(before, grid.grid);
    if (!difference.empty()) {
        throw inputError("The folder " + folder_.string() + " holds a sweep of another grid (" + difference + ").",
                         "Name a new folder, or the grid that it was made with.");
    }
}

void SweepFolder::make(const FoundGrid& grid) {
    const auto makeFolder = [](const fs::path& folder) {
        std::error_code error;
        fs::create_directories(folder, error);
        if (error)
            throw inputError("Cannot make the folder " + folder.string() + ": " + error.message() + ".",
                             "Choose a folder you may write to.");
    };
    makeFolder(folder_);
    // Another program may have made it since this object was constructed.
    std::error_code ignored;
    if (fs::exists(gridFile(), ignored) || !makeTextFile(gridFile(), grid.text)) requireSame(grid);
    holds_ = true;
    makeFolder(runs());
}

void SweepFolder::claim(bool shared) {
    if (lock_ < 0) lock_ = openRegularFile(folder_ / ".sweep.lock", FilePlace::InFolder, O_RDWR | O_CREAT);
    if (tryLock(lock_, shared)) return;
    throw inputError("Another sweep is at work in " + folder_.string() + ".", "Wait for it to end, or end it.");
}

std::vector<SweepResult> SweepFolder::read(const SweepPlan& plan) const {
    std::vector<SweepResult> results;
    for (const SweepRun& run : plan.runs) results.push_back(readSweepRun(table_, run, runs()));
    return results;
}

std::vector<fs::path> SweepFolder::write(const SweepPlan& plan, const std::vector<SweepResult>& results) const {
    const report::SweepTable table = report::tabulate(plan, results);
    const std::vector<std::pair<const char*, std::string>> texts = {
        {"sweep.json",
         sweepJson(plan, results, report::sweepDifferencesJson(table), report::sweepPublishedJson(table))},
        {"table.md", report::sweepMarkdown(table)},
        {"table.csv", report::sweepCsv(table)},
        {"table.tex", report::sweepLatex(table)}};
    std::vector<fs::path> files;
    for (const auto& [name, text] : texts) {
        files.push_back(folder_ / name);
        replaceTextFile(files.back(), text, Keep::OnDiskWithName, FilePlace::InFolder);
    }
    return files;
}

}  // namespace palimpsest
