// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>
#include <QString>

class QFont;
class QPainter;

namespace palimpsest {

struct Theme;

/// The text of an empty view, in the middle of it, on a patch of the panel's ground. A word between two '|' is drawn
/// as a key, a command
/// named in it by its keys of the moment: "Press |{startRun}| to start".
void drawEmptyState(QPainter& painter, const QRectF& area, const QFont& base, const Theme& theme, const QString& text);

}  // namespace palimpsest
