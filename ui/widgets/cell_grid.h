// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPoint>
#include <QRectF>

namespace palimpsest {

/// Small square cells in rows, as large as leaves room for the rest of a panel and lets all be seen; of very many
/// things several share a cell.
struct CellGrid {
    double side = 0, pitch = 0;
    int columns = 1;
    int cells = 0;
    int members = 1;  ///< that share a cell

    /// Grid of so many things in this width and height; it is never higher than leaves room for others.
    static CellGrid fitted(int count, int width, double height = 1e6);
    QRectF rect(int cell) const;
    /// -1: in none.
    int cellAt(const QPoint& point) const;
};

}  // namespace palimpsest
