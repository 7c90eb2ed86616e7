// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "engine/stream/stream_plan.h"

class QFont;
class QPainter;

namespace palimpsest {

struct PlannedStream;
struct StreamCells;
struct Theme;

// Parts of the picture of a stream.

/// Smaller cells, or more of them, are drawn as one picture: one by one they would hold the window up.
bool paintedOneByOne(const StreamCells& cells);
/// One by one; `homes`: by class.
void paintStreamCells(QPainter& painter, const StreamCells& cells, const PlannedStream& stream,
                      const std::vector<ClassHome>& homes, const Theme& theme);
/// Of the classes, where there is room for them; `font`: that of the painter.
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
