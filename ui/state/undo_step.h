// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <functional>

class QUndoStack;

namespace palimpsest {

/// Pushes an action that was already done onto the undo stack, so that the user's last action is undone first, be it a
/// setting, a view or a deletion. Redo does not repeat it. Returns a function that undoes it from elsewhere, such as a
/// button; it is undone once, whichever way is used. The stack must outlive the function.
std::function<void()> addUndoStep(QUndoStack* stack, const QString& what, const std::function<void()>& undo);

}  // namespace palimpsest
