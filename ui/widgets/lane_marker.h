// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QIcon>
#include <cstddef>

class QWidget;

namespace palimpsest {

struct Theme;

/// Lane B's colour in plots and in the list of runs. Lane A is the selected run.
inline constexpr const char* kLaneColour = "#cc79a7";
QColor laneColour(const Theme& theme, std::size_t lane);
/// A piece of the line with which a lane is drawn, in the theme of `widget`; `style`: of its run (ShownRun).
QIcon laneIcon(const QWidget* widget, std::size_t lane, int style);
/// Wide enough to distinguish the dashes.
inline constexpr int kLaneIconWidth = 30, kLaneIconHeight = 12;

}  // namespace palimpsest
