// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QMenu;
class QWidget;

namespace palimpsest {

class CurveOptions;

/// Adds an action to `menu` for each choice of how curves are drawn; they show the choice as it is. Returned: a menu of
/// these alone, `parent`'s.
QMenu* addCurveOptions(QMenu* menu, CurveOptions* options, QWidget* parent);

}  // namespace palimpsest
