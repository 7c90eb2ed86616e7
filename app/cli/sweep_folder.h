// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/support/file_lock.h"
#include "engine/sweep/sweep_grid.h"
#include "engine/sweep/sweep_results.h"

namespace palimpsest {

/// A grid file as it was found.
struct FoundGrid {
    std::filesystem::path file;
    std::string text;
    SweepGrid grid;
    Experiment base;
};

/// Permission for a grid with more seeds or rows than that in the folder.
enum class MoreRuns { Refused, Welcome };

/// Name of the folder with the data of a miniature, in that of the sweep.
inline constexpr const char* kMiniatureData = "miniature-data";

/// The folder of a sweep: sweep.toml (the grid), sweep-base.toml (its base), sweep.json, table.md, table.csv and
/// table.tex, the runs in runs/, prompts that it made in prompts/.
class SweepFolder {
public:
    /// Does not change the folder yet. Throws Error(Input) for a folder with another grid or another base, which names
    /// the difference, and for one with anything but a sweep.
    SweepFolder(const OptionTable& table, std::filesystem::path folder, const FoundGrid& grid,
                MoreRuns more = MoreRuns::Refused);
    ~SweepFolder();
    SweepFolder(const SweepFolder&) = delete;
    SweepFolder& operator=(const SweepFolder&) = delete;

    const std::filesystem::path& path() const { return folder_; }
    std::filesystem::path runs() const { return folder_ / "runs"; }
    bool holdsSweep() const { return holds_; }
    /// Grid in the folder, and what is added to it.
    struct Smaller {
        SweepGrid grid;
        SweepAddition added;
    };
    /// Present where the grid that was found has more seeds or rows than that in the folder; make() then replaces it.
    const std::optional<Smaller>& smaller() const { return smaller_; }
    /// Gives the plan's runs the folders that they have begun in, see keepRunFolders().
    void place(SweepPlan& plan) const { keepRunFolders(table_, plan, runs()); }
    /// For folders of older versions, which kept no base: throws Error(Input) where a run has begun with other settings
    /// than the plan's. All runs are asked, since make() then keeps the base of all of them.
    void requireSameSettings(const SweepPlan& plan) const;
    /// Creates the missing parts of the folder, the grid in it, its base and runs/. A grid with more runs needs the
    /// folder alone: see claim(). Throws Error(Input), and changes nothing, if it has another grid by now.
    void make(const FoundGrid& grid);
    /// Removes `files`, and what make() has added to a folder that held no sweep before, the folder too if nothing else
    /// is in it. Nothing but `files` is removed where another program works there or a run has begun.
    void takeBack(const std::vector<std::filesystem::path>& files);
    /// Locks the folder until this object is destroyed: for one program alone, or for several, each with a run of its
    /// own (`shared`). The folder must exist; locking it again does nothing. Throws Error(Input) when another program
    /// has the lock, and when nothing can be written there.
    void claim(bool shared);
    /// Gives that lock back.
    void release();
    /// Locks the folder, until this object is destroyed, against other programs that would give its runs to Slurm or
    /// change its grid; runs begin all the same. Otherwise as claim().
    void claimScripts();

    std::vector<SweepResult> read(const SweepPlan& plan) const;
    /// Writes sweep.json and the tables anew, each to a temporary file that is renamed; returns the files.
    std::vector<std::filesystem::path> write(const SweepPlan& plan, const std::vector<SweepResult>& results) const;

private:
    std::filesystem::path gridFile() const { return folder_ / "sweep.toml"; }
    std::filesystem::path baseFile() const { return folder_ / kKeptBase; }
    void requireSame(const FoundGrid& grid);
    [[noreturn]] void refuseSettings(const std::string& difference) const;

    const OptionTable& table_;
    std::filesystem::path folder_;
    MoreRuns more_;
    bool holds_ = false;
    bool made_grid_ = false, made_base_ = false, made_folder_ = false;
    std::optional<Smaller> smaller_;
    std::optional<FileLock> lock_, scripts_lock_;
};

}  // namespace palimpsest
