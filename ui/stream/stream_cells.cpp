// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stream/stream_cells.h"

#include <algorithm>

#include "ui/stream/session_strip.h"
#include "ui/style/text_style.h"

namespace palimpsest {
namespace {

constexpr double kNames = 62;  // width of the class names
constexpr double kRow = 15;
constexpr double kMaxHeight = 190;
/// Rows that are too low for a name leave the names out.
constexpr double kNameRow = 11;

}  // namespace

double StreamCells::nameWidth() {
    return scaled(kNames);
}

int StreamCells::heightFor(int classes) {
    return static_cast<int>(std::min(classes * scaled(kRow), scaled(kMaxHeight) - SessionStrip::height()) +
                            SessionStrip::height() + 2 * kMargin);
}

double StreamCells::rowHeight() const {
    return (bottom() - 2 * kMargin) / std::max(classes, 1);
}

bool StreamCells::named() const {
    return rowHeight() >= scaled(kNameRow);
}

double StreamCells::bottom() const {
    return size.height() - SessionStrip::height();
}

QRectF StreamCells::cell(int label, int session) const {
    if (empty()) return {};
    const double row = rowHeight();
    const double left = row >= scaled(kNameRow) ? nameWidth() : kMargin;
    const double column = (size.width() - left - kMargin) / sessions;
    const double gap_x = column > 8 ? 2 : (column > 3 ? 1 : 0);
    const double gap_y = row > 8 ? 2 : (row > 3 ? 1 : 0);
    return {left + session * column, kMargin + label * row, column - gap_x, row - gap_y};
}

QRectF StreamCells::row(int label) const {
    const QRectF first = cell(label, 0);
    return {0, first.top(), size.width(), first.height()};
}

QRectF StreamCells::column(int session) const {
    if (classes == 0 || session < 0 || session >= sessions) return {};
    return cell(0, session).united(cell(classes - 1, session));
}

int StreamCells::labelAt(const QPointF& point) const {
    for (int label = 0; label < classes; ++label)
        if (row(label).contains(point)) return label;
    return -1;
}

int StreamCells::sessionAt(int label, const QPointF& point) const {
    for (int session = 0; session < sessions; ++session)
        if (cell(label, session).contains(point)) return session;
    return -1;
}

int StreamCells::columnAt(double x) const {
    if (empty() || x < cell(0, 0).left() || x >= size.width()) return -1;
    const double column = (size.width() - kMargin - cell(0, 0).left()) / sessions;
    return std::min(static_cast<int>((x - cell(0, 0).left()) / column), sessions - 1);
}

}  // namespace palimpsest
