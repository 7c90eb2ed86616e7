// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>
#include <QString>

namespace palimpsest {

/// The icon of a command of the window, told by its object name; null for one without. What can be switched on and off
/// has none: in a menu its mark stands in that place.
QIcon commandIcon(const QString& command);

}  // namespace palimpsest
