// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/cell_grid.h"

#include <algorithm>
#include <array>

namespace palimpsest {
namespace {

struct CellSize {
    double side, gap;
};
constexpr std::array<CellSize, 4> kSizes = {{{12, 3}, {8, 2}, {5, 2}, {3, 1}}};
constexpr double kMostHeight = 132;

}  // namespace

CellGrid CellGrid::fitted(int count, int width, double height) {
    CellGrid grid;
    int room = 1;
    for (const CellSize& cell : kSizes) {
        grid.side = cell.side;
        grid.pitch = cell.side + cell.gap;
        grid.columns = std::max(1, static_cast<int>((width + cell.gap) / grid.pitch));
        const double rows = std::min(kMostHeight, height + cell.gap) / grid.pitch;
        room = grid.columns * std::max(1, static_cast<int>(rows));
        if (count <= room) break;
    }
    grid.members = (count + room - 1) / room;
    grid.cells = (count + grid.members - 1) / grid.members;
    return grid;
}

QRectF CellGrid::rect(int cell) const {
    return {cell % columns * pitch, cell / columns * pitch, side, side};
}

int CellGrid::cellAt(const QPoint& point) const {
    const int column = static_cast<int>(point.x() / pitch), row = static_cast<int>(point.y() / pitch);
    const int cell = row * columns + column;
    return column < columns && cell < cells && rect(cell).contains(point) ? cell : -1;
}

}  // namespace palimpsest
