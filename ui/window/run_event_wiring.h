// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QObject;
class QUndoStack;

namespace palimpsest {

class RunSet;
class DatasetController;
class HistoryStore;
class MemoryController;
class MessageBar;
class NowPair;
class RunController;
class RunLibrary;
class RunsPanel;

/// All that hears of runs while they go on.
struct RunListeners {
    RunSet* store;
    HistoryStore* histories;
    NowPair* now;
    RunLibrary* library;
    MemoryController* memory;
    DatasetController* datasets;
    MessageBar* messages;
};

/// From now on the news of both lanes reaches them, as long as `context` lives.
void bringNews(RunController* controller, const RunListeners& listeners, QObject* context);
/// What the list of runs has to say goes to the message bar; what can be taken back is a step of Undo, too.
void tellOfRuns(RunsPanel* runs, MessageBar* messages, QUndoStack* steps);

}  // namespace palimpsest
