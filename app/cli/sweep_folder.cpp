// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/sweep_folder.h"

#include <unistd.h>
#include <algorithm>
#include <utility>

#include "engine/config/experiment_file.h"
#include "engine/report/grid_file.h"
#include "engine/report/sweep_table.h"
#include "engine/support/error.h"
#include "engine/support/file_io.h"
#include "engine/support/file_lock.h"
#include "engine/support/text.h"
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
               return !name.starts_with("sweep.toml") && !name.starts_with(kKeptBase) && name != kMiniatureData;
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

SweepFolder::SweepFolder(const OptionTable& table, fs::path folder, const FoundGrid& grid, MoreRuns more)
    : table_(table), folder_(fs::absolute(folder).lexically_normal()), more_(more) {
    if (std::error_code error; fs::exists(folder_, error) && !fs::is_directory(folder_, error))
        throw inputError(folder_.string() + " is a file, and a sweep needs a folder.", "Name a new folder.");
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

SweepFolder::~SweepFolder() = default;

void SweepFolder::refuseSettings(const std::string& difference) const {
    std::string hint = "Name a new folder, or change the base back.";
    if (std::error_code ignored; fs::exists(baseFile(), ignored))
        hint += " To go on with the base as it was: palimpsest-cli sweep " + shellWord(gridFile().string()) +
                " --out " + shellWord(folder_.string()) + ".";
    throw inputError(
        "The folder " + folder_.string() + " holds a sweep of this grid with another base (" + difference + ").", hint);
}

void SweepFolder::requireSame(const FoundGrid& grid) {
    SweepGrid before = report::readGridFile(table_, gridFile(), FilePlace::InFolder);
    const std::string difference = sweepDifference(before, grid.grid);
    std::optional<SweepAddition> more = sweepAddition(before, grid.grid);
    if (!difference.empty() && (!more || more_ == MoreRuns::Refused)) {
        std::string hint = "Name a new folder, or the grid that it was made with.";
        if (more)
            hint = "Its runs can be added: call the sweep for all its runs once, or name a new folder.";
        else if (const auto since = sweepAddition(grid.grid, before))
            hint = "It was given " + plainLine(since->text()) + " since: add the same to " +
                   plainLine(grid.file.string()) + ", or call palimpsest-cli sweep " + shellWord(gridFile().string()) +
                   " --out " + shellWord(folder_.string()) + ".";
        throw inputError("The folder " + folder_.string() + " holds a sweep of another grid (" + difference + ").",
                         hint);
    }
    std::error_code ignored;
    if (fs::exists(fs::symlink_status(baseFile(), ignored))) {
        const Experiment kept = readExperiment(table_, baseFile(), FilePlace::InFolder);
        const bool same = formatExperiment(table_, kept) == formatExperiment(table_, grid.base);
        const std::string apart =
            same ? std::string() : sweepBaseDifference(table_, before, grid.file, kept, grid.base);
        if (!apart.empty()) refuseSettings(apart);
    }
    smaller_.reset();
    if (more) smaller_ = Smaller{std::move(before), std::move(*more)};
}

void SweepFolder::requireSameSettings(const SweepPlan& plan) const {
    std::error_code ignored;
    // Those of a miniature are other ones, in a folder that a real sweep may share.
    if (fs::exists(baseFile(), ignored) || fs::exists(folder_ / kMiniatureData, ignored)) return;
    const std::string apart = settingsChangedSince(table_, plan, runs());
    if (!apart.empty()) refuseSettings(apart);
}

void SweepFolder::make(const FoundGrid& grid) {
    const auto makeFolder = [](const fs::path& folder) {
        std::error_code error;
        fs::create_directories(folder, error);
        if (error)
            throw inputError("Cannot make the folder " + folder.string() + ": " + error.message() + ".",
                             "Choose a folder you may write to.");
    };
    std::error_code ignored;
    made_folder_ = !fs::exists(folder_, ignored);
    makeFolder(folder_);
    // Another program may have made it since this object was constructed.
    made_grid_ = !fs::exists(gridFile(), ignored) && makeTextFile(gridFile(), grid.text);
    if (!made_grid_) requireSame(grid);
    holds_ = true;
    if (!fs::exists(baseFile(), ignored)) {
        made_base_ = makeTextFile(baseFile(), formatExperiment(table_, grid.base, folder_));
        if (!made_base_) requireSame(grid);
    }
    if (!smaller_) return makeFolder(runs());
    claim(false);
    replaceTextFile(gridFile(), grid.text, Keep::OnDiskWithName, FilePlace::InFolder);
    makeFolder(runs());
}

void SweepFolder::claim(bool shared) {
    if (lock_) return;
    lock_ = FileLock::take(openLockFile(folder_ / kSweepLock), shared);
    if (lock_) return;
    throw inputError("Another sweep is at work in " + folder_.string() + ".", "Wait for it to end, or end it.");
}

void SweepFolder::release() {
    lock_.reset();
}

void SweepFolder::claimScripts() {
    if (scripts_lock_) return;
    scripts_lock_ = FileLock::take(openLockFile(folder_ / kScriptsLock));
    if (scripts_lock_) return;
    throw inputError("Another program is giving the sweep in " + folder_.string() + " to Slurm, or adds runs to it.",
                     "Wait a moment; --list then says how it stands.");
}

void SweepFolder::takeBack(const std::vector<fs::path>& files) {
    std::error_code ignored;
    for (const fs::path& file : files) fs::remove(file, ignored);
    if (!made_grid_) return;
    try {
        claim(false);
    } catch (const Error&) {
        return;
    }
    // Only an empty folder is removed this way.
    fs::remove(runs(), ignored);
    if (fs::exists(runs(), ignored)) return;
    if (made_base_) fs::remove(baseFile(), ignored);
    fs::remove(gridFile(), ignored);
    made_grid_ = made_base_ = holds_ = false;
    // Last, and while this program still holds them.
    fs::remove(folder_ / kScriptsLock, ignored);
    fs::remove(folder_ / kSweepLock, ignored);
    if (made_folder_) fs::remove(folder_, ignored);
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
