// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>
#include <QString>

class QFont;
class QPainter;
class QStyleOptionViewItem;

namespace palimpsest {

struct Theme;

/// Draws the text of an empty view in its middle, on a patch of the panel's ground. A word between two '|' is drawn as
/// a key, a command named in it by its present keys: "Press |{startRun}| to start".
void drawEmptyState(QPainter& painter, const QRectF& area, const QFont& base, const Theme& theme, const QString& text);

/// Pixels of the frames of panels and controls; more on a wall, to be seen from the back row. A ring around what has
/// the keyboard is as wide where it is painted over a frame, a pixel wider in its place.
int edgeWidth(const Theme& theme);
/// Paints the ring around what has the keyboard focus, inside `area`.
void paintFocusRing(QPainter& painter, const QRectF& area, const Theme& theme, double corner = 4);

/// Paints the ground of a list's row that is selected or under the mouse.
void paintRowGround(QPainter& painter, const QRectF& row, const QStyleOptionViewItem& option);
/// Paints the frame of the row that has the keyboard focus.
void paintRowFocus(QPainter& painter, const QRectF& row, const QStyleOptionViewItem& option);

}  // namespace palimpsest
