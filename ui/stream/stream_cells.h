// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>
#include <QSizeF>

namespace palimpsest {

/// Where the cells of a stream's picture stand: classes down, sessions across, the classes' names on the left where the
/// rows are high enough for them, and the strip of sessions below.
struct StreamCells {
    int classes = 0, sessions = 0;
    QSizeF size;  ///< of the picture

    /// Pixels beside the cells: room for the frame of the current session.
    static constexpr double kMargin = 3;
    /// What names of classes take.
    static double nameWidth();
    /// Of a picture that has room for all of its classes, with the strip of sessions.
    static int heightFor(int classes);

    bool empty() const { return classes == 0 || sessions == 0; }
    /// The rows are high enough for names.
    bool named() const;
    /// Where the strip of sessions begins.
    double bottom() const;
    QRectF cell(int label, int session) const;
    QRectF all() const { return cell(0, 0).united(cell(classes - 1, sessions - 1)); }
    /// A class with its name, over the whole width.
    QRectF row(int label) const;
    /// A session's cells.
    QRectF column(int session) const;
    /// -1: in no row.
    int labelAt(const QPointF& point) const;
    /// -1: in no cell of the row.
    int sessionAt(int label, const QPointF& point) const;
    /// The session whose column is there, also above, below and between its cells; -1: in none.
    int columnAt(double x) const;

private:
    double rowHeight() const;
};

}  // namespace palimpsest
