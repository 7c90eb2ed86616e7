// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>

class QCPAxis;
class QCPGraph;
class QCustomPlot;

namespace palimpsest {

struct Theme;

/// Axes that both figures share: per cent from 0 to 100 upwards, a faint grid, no frame, margins that stay the same
/// whatever the labels say.
void prepareAxes(QCustomPlot& plot);
/// Pixels right of the axes beside the room for names.
inline constexpr int kRightGap = 14;
/// Colours and fonts; called again when the theme changes. `unitRow`: room for a line below the tick labels;
/// `nameRoom`: pixels for names right of the axes; `leftRoom`: pixels for the labels of rows.
void styleAxes(QCustomPlot& plot, const Theme& theme, const QFont& base, bool unitRow, int nameRoom, int leftRoom = 0);
/// Whole pixels that a row of text below the axis takes, with what hangs below its letters.
int axisRowHeight(const QFont& font);
/// From the axis to the first of these rows.
inline constexpr int kAxisGap = 7;
/// Ticks "0", "3k", "1.5M" along the images seen.
void useImageTicks(QCustomPlot& plot);
/// Ticks "0.001", "5,000" of a loss, by the axis' scale as it is; called again when that changes.
void useLossTicks(QCPAxis& axis);
/// A line's marker; `fill` is the ground where it is hollow.
void styleMarkers(QCPGraph& graph, int look, double radius, const QPen& outline, const QBrush& fill);

}  // namespace palimpsest
