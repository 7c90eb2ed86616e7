// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>
#include <QString>
#include <optional>
#include <utility>
#include <vector>

class QFont;

namespace palimpsest {

struct MatrixContent;

/// Where the cells of a drawn matrix stand, and the names beside and above them.
struct MatrixLayout {
    /// In a picture of this size; `caption`: the names are written in.
    MatrixLayout(const MatrixContent& content, const QSizeF& size, const QFont& caption);

    /// Pixels between what stands beside each other.
    static constexpr double kGap = 6;
    /// "is ↓", above the names of the rows.
    static QString rowTitle(const MatrixContent& content);

    QRectF cell(int row, int column) const;
    /// Row and column; both are those of a cell.
    std::optional<std::pair<int, int>> cellAt(const QPointF& point) const;

    int rows = 0, columns = 0;
    QRectF cells;
    double pitch_x = 1, pitch_y = 1;
    int name_width = 0;
    double right = 0;  ///< where there is no more room
};

/// Of a row or a column that has room for it.
struct MatrixName {
    QRectF place;
    Qt::Alignment align;
    QString text;
};
/// Rows first, then columns.
std::vector<MatrixName> matrixNames(const MatrixContent& content, const MatrixLayout& layout, const QFont& caption);

}  // namespace palimpsest
