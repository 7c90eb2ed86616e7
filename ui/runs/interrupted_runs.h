// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QSet>
#include <QString>
#include <vector>

#include "engine/library/run_row.h"
#include "ui/state/background.h"

namespace palimpsest {

class MessageBar;
class RunController;
class RunLibrary;
class RunQueue;

/// Offers, after the first scan of the runs, to resume the newest one that a crash or a loss of power ended and that
/// left a checkpoint. The user can decline that for good; that is noted in the run's folder, and the list of
/// runs can still resume it.
class InterruptedRuns : public QObject {
    Q_OBJECT
public:
    InterruptedRuns(RunLibrary* library, RunController* controller, MessageBar* messages, QObject* parent = nullptr);

    /// What stands in the queue is the queue's to go on with, and is not offered.
    void setQueue(const RunQueue* queue);

Q_SIGNALS:
    /// Emitted with the number of runs that can be resumed: after the scan, and again where the queue takes some.
    void found(int runs);

private:
    void search();
    void offer(std::vector<RunRowPtr> runs);
    /// Ids of the runs that the queue, this window's or another one's, has yet to end.
    QSet<QString> queued() const;
    void withdraw();

    RunLibrary* library_;
    RunController* controller_;
    MessageBar* messages_;
    const RunQueue* queue_ = nullptr;
    QString offered_;      ///< id; empty: none
    bool theirs_ = false;  ///< the queue was another window's when it was last looked at
    Background background_;
};

}  // namespace palimpsest
