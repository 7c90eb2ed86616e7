// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QImage>
#include <QRectF>
#include <QSizeF>
#include <QString>
#include <cstdint>
#include <vector>

#include "engine/stream/stream_plan.h"
#include "ui/state/stream_planner.h"

class QFont;
class QPainter;

namespace palimpsest {

struct PlannedStream;
struct Theme;

/// The sessions below the picture of the stream: their numbers, and how many images each has; as bars where the numbers
/// would not fit.
struct StreamSessionStrip {
    std::vector<std::int64_t> lengths;  ///< images by session
    QRectF place;                       ///< as wide as all columns together
    double gap = 0;                     ///< between two columns
    double titles = 0;                  ///< room on the left for the titles of the lines; too little: none
    int current = -1;

    static double height();
    void paint(QPainter& painter, const QFont& font, const Theme& theme) const;

private:
    double column() const { return place.width() / static_cast<double>(lengths.size()); }
    void paintNumbers(QPainter& painter, const QFont& font, const Theme& theme) const;
    void paintLengths(QPainter& painter, const QFont& font, const Theme& theme) const;
    void paintBars(QPainter& painter, const Theme& theme, const QRectF& line) const;
};

/// Layout of the cells in a stream's picture: classes down, sessions across, the classes' names on the left where the
/// rows are high enough for them, and the strip of sessions below.
struct StreamCells {
    int classes = 0, sessions = 0;
    QSizeF size;  ///< of the picture

    /// Pixels beside the cells: room for the frame of the current session.
    static constexpr double kMargin = 3;
    /// Width of the names of classes.
    static double nameWidth();
    /// Height of a picture that has room for all of its classes, with the strip of sessions.
    static int heightFor(int classes);

    bool empty() const { return classes == 0 || sessions == 0; }
    /// The rows are high enough for names.
    bool named() const;
    /// Top of the strip of sessions.
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

/// How strong a cell is drawn that has so much, 0 to 1, of its class's fullest cell.
float shadeStrength(double share);
/// A pixel a cell, in the hues of disjoint and blurry classes.
QImage shadedPicture(const StreamGrid& grid, const Theme& theme);

// Parts of the picture of a stream.

/// Smaller cells, or more of them, are drawn as one picture: one by one they would hold the window up.
bool paintedOneByOne(const StreamCells& cells);
/// One by one; `homes`: by class.
void paintStreamCells(QPainter& painter, const StreamCells& cells, const PlannedStream& stream,
                      const std::vector<ClassHome>& homes, const Theme& theme);
/// Names of the classes, where there is room for them; `font`: that of the painter.
void paintClassNames(QPainter& painter, const StreamCells& cells, const PlannedStream& stream, const QFont& font,
                     const Theme& theme);
/// Frames the cells that an edit filled.
void paintStreamEdits(QPainter& painter, const StreamCells& cells, const PlannedStream& stream, const Theme& theme);
/// A class on its way from one session to another, `to` -1: to none yet.
struct ClassMove {
    int label = -1, from = -1, to = -1;
    bool operator==(const ClassMove&) const = default;
};
void paintClassMove(QPainter& painter, const StreamCells& cells, const ClassMove& move, bool blurry,
                    const Theme& theme);

}  // namespace palimpsest
