// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figures/matrix_layout.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "ui/plots/matrix_content.h"
#include "ui/style/text_style.h"

namespace palimpsest {
namespace {

constexpr int kMostClassNameWidth = 110;
constexpr double kMostCell = 96, kWidest = 2.2;  // of a cell: pixels, and width to height

/// Whole pixels in which the widest of these stands uncut: of half a pixel too few a letter is lost.
int widthOf(const QStringList& names, const QFontMetricsF& metrics) {
    double widest = 0;
    for (const QString& name : names) widest = std::max(widest, metrics.horizontalAdvance(name));
    return static_cast<int>(std::ceil(widest)) + 1;
}

}  // namespace

MatrixLayout::MatrixLayout(const MatrixContent& content, const QSizeF& size, const QFont& caption)
    : rows(static_cast<int>(content.rows.size())), columns(static_cast<int>(content.columns.size())) {
    const QFontMetricsF metrics(caption);
    name_width = std::min(widthOf(content.rows, metrics), scaled(kMostClassNameWidth));
    // What the rows are stands above their names, whole.
    name_width = std::max(name_width, widthOf({rowTitle(content)}, metrics));
    const double top = 2 * std::ceil(metrics.height()) + 2 * kGap, left = name_width + 2 * kGap;
    const double down = std::max(1, rows), across = std::max(1, columns);
    pitch_y = std::min(scaled(kMostCell) * 0.6, (size.height() - top - kGap) / down);
    pitch_x = std::min({scaled(kMostCell), (size.width() - left - kGap) / across, pitch_y * kWidest});
    right = size.width();
    cells = QRectF(left, top, pitch_x * across, pitch_y * down);
}

QString MatrixLayout::rowTitle(const MatrixContent& content) {
    return content.row_title + QStringLiteral(" ↓");
}

QRectF MatrixLayout::cell(int row, int column) const {
    return {cells.left() + column * pitch_x, cells.top() + row * pitch_y, pitch_x, pitch_y};
}

std::optional<std::pair<int, int>> MatrixLayout::cellAt(const QPointF& point) const {
    if (rows == 0 || columns == 0 || !cells.contains(point)) return std::nullopt;
    return std::pair(std::min(static_cast<int>((point.y() - cells.top()) / pitch_y), rows - 1),
                     std::min(static_cast<int>((point.x() - cells.left()) / pitch_x), columns - 1));
}

std::vector<MatrixName> matrixNames(const MatrixContent& content, const MatrixLayout& layout, const QFont& caption) {
    const QFontMetricsF metrics(caption);
    constexpr double kGap = MatrixLayout::kGap;
    const double high = std::ceil(metrics.height());
    std::vector<MatrixName> names;
    const int row_step = std::max(1, static_cast<int>(std::ceil(high / layout.pitch_y)));
    for (int row = 0; row < layout.rows; row += row_step)
        names.push_back({QRectF(kGap, layout.cells.top() + row * layout.pitch_y, layout.name_width, layout.pitch_y),
                         Qt::AlignRight, metrics.elidedText(content.rows[row], Qt::ElideRight, layout.name_width)});
    // Names of columns stand where they fit beside each other, else only so many of them.
    const double room = std::min(widthOf(content.columns, metrics), scaled(kMostClassNameWidth)) + kGap;
    const int column_step = std::max(1, static_cast<int>(std::ceil(room / layout.pitch_x - 0.01)));
    for (int column = 0; column < layout.columns; column += column_step) {
        const double left = layout.cells.left() + column * layout.pitch_x + (column_step == 1 ? 0 : 1);
        const double wide = layout.pitch_x * column_step - 2;
        const QString name = metrics.elidedText(content.columns[column], Qt::ElideRight, wide);
        // Beyond the last column there may be less.
        if (column > 0 && left + metrics.horizontalAdvance(name) > layout.right) continue;
        names.push_back(
            {QRectF(left, high + kGap, wide, high), column_step == 1 ? Qt::AlignHCenter : Qt::AlignLeft, name});
    }
    return names;
}

}  // namespace palimpsest
