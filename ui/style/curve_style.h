// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QPainterPath>
#include <QPen>
#include <cstddef>
#include <vector>

class QPainter;

namespace palimpsest {

struct Theme;

enum class MarkerShape { Circle, Square, Triangle, Diamond, Cross };

/// Marker of a style. Runs and sessions can be told apart without colour, too: each has a marker and a dash of its own,
/// in a fixed order.
MarkerShape markerOf(int style);
/// Number of styles that differ in marker or dash.
inline constexpr int kCurveStyles = 20;
/// Style of a run of this name: always the same one as long as no other run has its marker or its dash, else the one
/// that shares the least with those taken.
int curveStyleFor(const QString& name, const std::vector<int>& taken);
/// Outline of a marker, centred on the origin; `radius` in pixels.
QPainterPath markerPath(MarkerShape shape, double radius);
void drawMarker(QPainter& painter, MarkerShape shape, QPointF centre, double radius, const QPen& outline,
                const QBrush& fill);

/// The selected run is a solid accent line, a compared run a dashed quiet one, unless the user chose its colour.
QColor runColour(const Theme& theme, bool selected, const QColor& chosen = {});
QPen runPen(const Theme& theme, bool selected, int style, const QColor& chosen = {});
/// Pen of a line below the mean that is drawn over it, or of a seed below that of its group: thin, faint and solid.
QPen thinBelow(const QPen& mean, const Theme& theme);
/// Hue of a compared run in a figure whose lines cross so often that dashes alone do not distinguish them; never the
/// accent's.
QColor comparedHue(const Theme& theme, int style);
/// Colour of lane B in plots and in the list of runs. Lane A is the selected run.
inline constexpr const char* kLaneColour = "#cc79a7";
QColor laneColour(const Theme& theme, std::size_t lane);
/// Session 0 is the thickest line: what is left of it is the story.
QColor sessionColour(const Theme& theme, std::int64_t session);
QPen sessionPen(const Theme& theme, std::int64_t session);

}  // namespace palimpsest
