// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QPainterPath>
#include <QPen>
#include <array>
#include <cstddef>
#include <string>
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

/// Number of hues of compared runs, and the one that is none: quiet, for one line of very many.
inline constexpr int kRunHues = 6, kNoHue = -1;
/// Hue of a group of runs that differ in nothing but the seed: that which the group prefers, always the same one, or
/// the next of those that the fewest others have, or have nearly. `taken`: how many others have each hue.
int runHueFor(const std::string& group, const std::array<int, kRunHues>& taken);
/// Where a preference of its own is known, as of a group that was shown before.
int runHueFor(int preferred, const std::array<int, kRunHues>& taken);
/// The hue that a colour of the user's choice is most like.
int hueLike(const QColor& colour);

/// A run keeps its colour, whichever is selected: its hue, unless the user chose its colour.
QColor runColour(const Theme& theme, int hue, const QColor& chosen = {});
/// The selected run is a solid line, a compared run a dashed one.
QPen runPen(const Theme& theme, bool selected, int style, const QColor& colour);
/// Pen of a line below the mean that is drawn over it, or of a seed below that of its group: thin, faint and solid.
QPen thinBelow(const QPen& mean, const Theme& theme);
/// Colours of the lanes A and B in plots and in the list of runs. None is the colour of a session, and violet and olive
/// stay apart for those who do not tell red from green.
inline constexpr std::array<const char*, 2> kLaneColours = {"#8a6be0", "#8c9c2f"};
QColor laneColour(const Theme& theme, std::size_t lane);
/// Session 0 is the thickest line: what is left of it is the story.
QColor sessionColour(const Theme& theme, std::int64_t session);
QPen sessionPen(const Theme& theme, std::int64_t session);

}  // namespace palimpsest
