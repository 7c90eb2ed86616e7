// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <functional>

class QUndoStack;

namespace palimpsest {

/// Puts what was done already among the steps that Undo takes back, so that the last thing a person did comes first,
/// be it a setting, a view or a deletion. It cannot be done again by Redo. Returns what takes it back from elsewhere,
/// such as a button; it does so once, whichever way was taken. The stack must outlive that.
std::function<void()> addUndoStep(QUndoStack* stack, const QString& what, const std::function<void()>& takeBack);

}  // namespace palimpsest
