// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/stream/stream_plan.h"

namespace palimpsest {

/// The cells of a stream, classes down and sessions across, gathered to about as many as a picture of it can show: so
/// the window's thread never walks over a million of them. Where several cells fall into one, the strongest is seen.
struct StreamGrid {
    struct Cell {
        std::uint16_t strength = 0;  ///< 0: nothing comes; else 1 + 255 times its share of the class's fullest cell
        bool blurry = false;
    };
    /// More than a screen of high resolution shows in the place that the picture has.
    static constexpr int kMostRows = 400, kMostColumns = 900;

    int rows = 0, columns = 0;
    std::vector<Cell> cells;  ///< row by row

    const Cell& at(int row, int column) const {
        return cells[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) +
                     static_cast<std::size_t>(column)];
    }
    /// Gathered further, to at most so many rows and columns.
    StreamGrid shrunk(int most_rows, int most_columns) const;
};

/// Grid of counts[class][session].
StreamGrid streamGrid(const std::vector<std::vector<std::int64_t>>& counts, std::span<const ClassHome> homes);

}  // namespace palimpsest
