// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QMenu;
class QWidget;

namespace palimpsest {

class CurveOptions;
class RunSet;

/// Adds an action to `menu` for each choice of how curves are drawn; they show the choice as it is, and of seeds how
/// those of `runs` are drawn. Returned: a menu of these alone, `parent`'s.
QMenu* addCurveOptions(QMenu* menu, CurveOptions* options, const RunSet* runs, QWidget* parent);

}  // namespace palimpsest
