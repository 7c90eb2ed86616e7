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

/// When the window has looked through the runs for the first time: offers to go on with the newest that a crash or a
/// loss of power ended, and that left a checkpoint. A person can decline that for good; what was declined stands in the
/// notes of the run's folder, and the list of runs can go on with it all the same.
class InterruptedRuns : public QObject {
    Q_OBJECT
public:
    InterruptedRuns(RunLibrary* library, RunController* controller, MessageBar* messages, QObject* parent = nullptr);

Q_SIGNALS:
    /// So many can be gone on with.
    void looked(int runs);

private:
    void look();
    void offer(const std::vector<RunRowPtr>& runs);
    void withdraw();

    RunLibrary* library_;
    RunController* controller_;
    MessageBar* messages_;
    QString offered_;  ///< id; empty: none
    Background background_;
};

}  // namespace palimpsest
