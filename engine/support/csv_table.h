// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace palimpsest {

/// The outcome of reading one of a run's CSV files.
struct CsvScan {
    std::vector<std::string> warnings;  ///< "anytime.csv line 7: ..."; such lines are skipped
    bool torn = false;                  ///< the last line had no end; it is skipped without a warning
};

/// Numbers read back: rows[r][c], c in the order of the columns asked for. An empty cell is NaN.
struct CsvTable : CsvScan {
    std::vector<std::vector<double>> rows;
};

/// The cells of a line of numbers, given without its end; quotes mean nothing.
std::vector<std::string_view> csvCells(std::string_view line);

/// Counts are whole and never negative; -1 for a cell that is none.
std::int64_t countIn(double cell);

/// Row by row, so that a file of any length takes no more memory than `row` keeps. Never throws: a file that is
/// missing, no regular file, reached by a link or longer than `most` bytes is a warning.
CsvScan scanCsv(const std::filesystem::path& file, const std::vector<std::string>& columns,
                const std::function<void(std::span<const double>)>& row,
                std::uint64_t most = std::numeric_limits<std::uint64_t>::max());
/// Value in the last whole line, however long the file is; NaN where there is none. Never throws.
double lastInCsv(const std::filesystem::path& file, const std::string& column);
/// Never throws: a missing file is an empty table with a warning.
CsvTable readCsv(const std::filesystem::path& file, const std::vector<std::string>& columns);

}  // namespace palimpsest
