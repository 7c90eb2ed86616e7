// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QLineEdit;
class QMenu;

namespace palimpsest {

class RunTableModel;

/// Empties a menu, the menus in it included, which QMenu::clear() keeps.
void emptyMenu(QMenu* menu);

/// Offers the methods, masks, data sets, states and tags there are; what is chosen is written into the search as a
/// person would type it, and taken out again when it is chosen once more.
void fillFilterMenu(QMenu* menu, const RunTableModel& model, QLineEdit* search);

}  // namespace palimpsest
