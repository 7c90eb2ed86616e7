// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/support/error.h"
#include "engine/sweep/sweep_grid.h"

namespace palimpsest {

/// A line of the table: a row of the grid with one combination of what varies.
struct SweepLine {
    std::string name;          ///< "Batch mask, batch 64"; none twice
    std::size_t baseline = 0;  ///< the line it is compared with; its own number: with none
    std::vector<PublishedNumber> published = {};
};

/// Prompts that the sweep makes before the runs that begin with them.
struct SweepPrompts {
    std::string name;       ///< of the initial session
    std::string file;       ///< name of the file, which says session and settings: "fam-1f2e3d4c5b6a.safetensors"
    Experiment experiment;  ///< to adapt them
};

struct SweepRun {
    std::int64_t number = 0;  ///< from 1
    std::size_t line = 0;
    std::string folder;                       ///< "003-batch-mask-seed-1", safe for any file system
    Experiment experiment;                    ///< with the line's name and the run's seed
    std::optional<std::size_t> prompts = {};  ///< place among the plan's, of those it begins with
};

struct SweepPlan {
    std::string title;
    std::vector<std::string> metrics;
    std::vector<SweepLine> lines;
    std::vector<std::int64_t> seeds;
    std::vector<SweepRun> runs;  ///< all lines with the first seed, then all with the second: early tables are even
    std::string published_in = {};
    std::vector<SweepPrompts> prompts = {};  ///< those that rows name, each set of settings once
};

/// Name of the file beside a sweep's own copy of its grid (sweep.toml) that holds the base, every option of it written
/// out: the copy is planned with it, whatever its `base` names.
inline constexpr const char* kKeptBase = "sweep-base.toml";
/// Name of the file in a sweep's folder whose lock is held by what sees to the sweep: alone, or shared by single runs.
inline constexpr const char* kSweepLock = ".sweep.lock";
/// Name of the file whose lock is held by what writes scripts for Slurm and submits them. Single runs do not take it:
/// Slurm may begin them at once.
inline constexpr const char* kScriptsLock = ".sweep-scripts.lock";
/// The file with the base of a sweep's own copy of its grid; empty where `file` is no such copy, and for those of older
/// versions, which kept none.
std::filesystem::path keptBaseOf(const std::filesystem::path& file);

/// The experiment that all rows of a grid begin with; `file` is the grid's. Throws Error(Input) that names the grid.
Experiment sweepBase(const OptionTable& table, const SweepGrid& grid, const std::filesystem::path& file);

/// Every run of a grid, with all options checked. `file` is the grid's: the base and an index list are named from its
/// folder. A line's baseline is the first row with the same varied values or, where there are not several rows, the
/// first line, unless its row names another. Runs name prompts of an initial session by the file's name alone, see
/// placePrompts(). Throws Error(Input) that names the line for options at odds, and for more than kMostSweepRuns runs.
SweepPlan planSweep(const OptionTable& table, const SweepGrid& grid, const std::filesystem::path& file);
/// The same with a base that was read before.
SweepPlan planSweep(const OptionTable& table, const SweepGrid& grid, const std::filesystem::path& file,
                    const Experiment& base);

/// The first setting in which runs of a grid with one base differ from those with another, which its rows leave as it
/// is: "training.learning_rate: 0.1 there, 0.01 here". Empty when they are the same runs.
std::string sweepBaseDifference(const OptionTable& table, const SweepGrid& grid, const std::filesystem::path& file,
                                const Experiment& there, const Experiment& here);

/// The error about inputs of a row, with its grid file and its name in front.
Error errorInRow(const std::filesystem::path& grid, const std::string& row, const Error& error);

/// Gives the only line of a plan another name, its runs and their folders likewise.
void renameOnlyLine(SweepPlan& plan, const std::string& name);

/// Names the prompts of initial sessions by their place in `folder`.
void placePrompts(SweepPlan& plan, const std::filesystem::path& folder);

}  // namespace palimpsest
