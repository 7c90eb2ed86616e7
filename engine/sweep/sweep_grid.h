// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/config/option_table.h"

namespace palimpsest {

/// The most runs that a sweep may have; a grid has no more rows, seeds or initial sessions either.
inline constexpr std::int64_t kMostSweepRuns = 10'000;

/// One option with a value, as a grid file gives it; checked alone, not yet with the others.
struct SweepSetting {
    std::string key;
    OptionValue value;
};

/// A number that others published for a row.
struct PublishedNumber {
    std::string metric;  ///< key of summary.json
    double mean = 0;     ///< a fraction, though files have it in per cent, as papers print it
    std::optional<double> deviation = {};
};

struct SweepRow {
    std::string name;
    std::vector<SweepSetting> settings;
    std::string initial_session = {};  ///< name of the one whose prompts its runs begin with; empty: none
    std::string baseline = {};         ///< name of the row it is compared with, its own: with none; empty: the first
    std::vector<PublishedNumber> published = {};
};

/// An initial session whose prompts the sweep makes itself, once for all rows that name it.
struct SweepSession {
    std::string name;
    std::int64_t seed = 1;
    std::vector<SweepSetting> settings;  ///< besides those of all rows
};

/// An option and the values it takes in turn.
struct SweepAxis {
    std::string key;
    std::vector<OptionValue> values;
};

/// A grid file: one experiment in several versions, each with several seeds.
struct SweepGrid {
    std::string title;                   ///< caption of the table; may be empty
    std::string base = "default";        ///< a preset, or an experiment file named from the grid's folder
    std::vector<std::int64_t> seeds;     ///< in the order of the file, none twice
    std::vector<std::string> metrics;    ///< keys of summary.json
    std::string published_in;            ///< where the rows' published numbers are from; may be empty
    std::vector<SweepSetting> settings;  ///< of all rows
    std::vector<SweepSession> sessions;
    std::vector<SweepRow> rows;   ///< none: the base alone
    std::vector<SweepAxis> axes;  ///< every combination, for each row
};

/// Reads TOML. `metrics`: the keys that a grid may ask for. Throws Error(Input) that names file, line, row and key of
/// every problem and, for an unknown key, the nearest known one.
SweepGrid parseSweepGrid(const OptionTable& table, std::string_view toml, const std::string& origin,
                         std::span<const std::string> metrics);

/// First thing in which two grids differ: "seeds: 1, 2 there, 1, 2, 3 here". Empty when they ask for the same runs;
/// published numbers and what is compared with what make no difference.
std::string sweepDifference(const SweepGrid& there, const SweepGrid& here);

/// Seeds and rows that a grid has beyond another one.
struct SweepAddition {
    std::vector<std::int64_t> seeds;
    std::vector<std::string> rows;
    /// "seeds 4 and 5 and row \"No mask\"".
    std::string text() const;
};
/// Addition of `here` to the runs of `there`; absent where anything is removed, changed or in another order, and where
/// nothing is added. A sweep may go on with such a grid: all its runs stay what they were.
std::optional<SweepAddition> sweepAddition(const SweepGrid& there, const SweepGrid& here);
/// The text of a grid file with these seeds behind its own, without those that it has; all else stays as it is written.
/// `origin` is named in messages. Throws Error(Input) for a text without a list of seeds and for one that is no TOML.
std::string withMoreSeeds(std::string_view toml, const std::string& origin, std::span<const std::int64_t> seeds);

/// Names of the grids that come with the program, sorted; those in a folder as "paper/table-1".
std::vector<std::string> sweepNames();
/// The file itself, or that of a grid that comes with the program. Throws Error(Input), for a word that is no
/// grid with the nearest one and all.
std::filesystem::path findSweepGrid(const std::string& fileOrName);

}  // namespace palimpsest
