// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QObject;
class QUndoStack;

namespace palimpsest {

class DatasetController;
class MemoryController;
class MessageBar;
class NowPair;
class RunsPanel;
struct WindowState;

/// Widgets and controllers that hear of runs while they go on.
struct WindowRunListeners {
    NowPair* now;
    MemoryController* memory;
    DatasetController* datasets;
    MessageBar* messages;
};

/// Topic of the message that a run failed.
inline const QString kRunFailure = QStringLiteral("run failure");

/// From now on the events of both lanes reach the state and the listeners, as long as `context` lives.
void connectRunEvents(WindowState& state, const WindowRunListeners& listeners, QObject* context);
/// Messages of the list of runs go to the message bar; what can be taken back is a step of Undo, too.
void connectRunMessages(RunsPanel* runs, MessageBar* messages, QUndoStack* steps);

}  // namespace palimpsest
