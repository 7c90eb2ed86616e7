// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/stream_grid.h"

#include <algorithm>

namespace palimpsest {
namespace {

constexpr double kFullShare = 255;

/// Starts of `few` places when `many` are shared among them, and the end of the last one.
std::vector<int> bordersOf(int many, int few) {
    std::vector<int> borders;
    for (int i = 0; i <= few; ++i) borders.push_back(few == 0 ? 0 : static_cast<int>(std::int64_t{i} * many / few));
    return borders;
}

/// `cellAt(row, column)` for every cell of `rows` by `columns`, in an order that reads row by row.
template <class CellAt>
StreamGrid gathered(int rows, int columns, int most_rows, int most_columns, CellAt cellAt) {
    StreamGrid grid;
    grid.rows = std::clamp(most_rows, 0, rows);
    grid.columns = std::clamp(most_columns, 0, columns);
    grid.cells.resize(static_cast<std::size_t>(grid.rows) * static_cast<std::size_t>(grid.columns));
    const std::vector<int> down = bordersOf(rows, grid.rows), across = bordersOf(columns, grid.columns);
    auto first = grid.cells.begin();
    for (std::size_t y = 0; y + 1 < down.size(); ++y, first += grid.columns)
        for (int row = down[y]; row < down[y + 1]; ++row) {
            auto strongest = first;
            for (std::size_t x = 0; x + 1 < across.size(); ++x, ++strongest)
                for (int column = across[x]; column < across[x + 1]; ++column)
                    if (const StreamGrid::Cell cell = cellAt(row, column); cell.strength > strongest->strength)
                        *strongest = cell;
        }
    return grid;
}

}  // namespace

StreamGrid StreamGrid::shrunk(int most_rows, int most_columns) const {
    return gathered(rows, columns, most_rows, most_columns, [this](int row, int column) { return at(row, column); });
}

StreamGrid streamGrid(const std::vector<std::vector<std::int64_t>>& counts, std::span<const ClassHome> homes) {
    std::vector<double> fullest;
    for (const auto& row : counts)
        fullest.push_back(row.empty() ? 0 : static_cast<double>(*std::max_element(row.begin(), row.end())));
    const auto cellAt = [&](int row, int column) {
        const auto label = static_cast<std::size_t>(row);
        const std::int64_t count = counts[label][static_cast<std::size_t>(column)];
        StreamGrid::Cell cell;
        if (count > 0)
            cell.strength = static_cast<std::uint16_t>(1.5 + kFullShare * static_cast<double>(count) / fullest[label]);
        cell.blurry = homes[label].blurry;
        return cell;
    };
    return gathered(static_cast<int>(counts.size()), counts.empty() ? 0 : static_cast<int>(counts.front().size()),
                    StreamGrid::kMostRows, StreamGrid::kMostColumns, cellAt);
}

}  // namespace palimpsest
