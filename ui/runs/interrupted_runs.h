// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <vector>

#include "engine/library/run_row.h"
#include "ui/state/background.h"

namespace palimpsest {

class MessageBar;
class RunController;
class RunLibrary;

/// Offers, after the first scan of the runs, to resume the newest one that a crash or a loss of power ended and that
/// left a checkpoint. The user can decline that for good; that is noted in the run's folder, and the list of
/// runs can still resume it.
class InterruptedRuns : public QObject {
    Q_OBJECT
public:
    InterruptedRuns(RunLibrary* library, RunController* controller, MessageBar* messages, QObject* parent = nullptr);

Q_SIGNALS:
    /// Emitted once with the number of runs that can be resumed.
    void found(int runs);

private:
    void search();
    void offer(const std::vector<RunRowPtr>& runs);
    void withdraw();

    RunLibrary* library_;
    RunController* controller_;
    MessageBar* messages_;
    QString offered_;  ///< id; empty: none
    Background background_;
};

}  // namespace palimpsest
