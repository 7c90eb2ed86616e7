// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QLineEdit;
class QMenu;

namespace palimpsest {

class RunTableModel;

/// Empties a menu, the menus in it included, which QMenu::clear() keeps.
void emptyMenu(QMenu* menu);

/// Offers the methods, masks, data sets, states and tags there are; choosing one writes it into the search as
/// the user would type it, choosing it once more removes it.
void fillFilterMenu(QMenu* menu, const RunTableModel& model, QLineEdit* search);

}  // namespace palimpsest
