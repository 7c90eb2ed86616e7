// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include "ui/state/stream_planner.h"

namespace palimpsest {

class ExperimentPanel;
class FileWorker;
class MessageBar;
class RunLibrary;
class StreamCompareDialog;

/// What the window does with the composed stream besides learning it: comparing and exporting.
class StreamController : public QObject {
    Q_OBJECT
public:
    StreamController(StreamPlanner::Labels labels, ExperimentPanel* panel, RunLibrary* library, FileWorker* files,
                     MessageBar* messages, QWidget* window);
    /// The dialog reads the library and the option table, so it goes before them.
    ~StreamController() override;

public Q_SLOTS:
    void compare();
    /// `folder`: where the dialog begins.
    void askWhereToExport(const QString& folder);

private:
    void exportTo(const std::shared_ptr<const PlannedStream>& stream, const QString& file);

    const StreamPlanner::Labels labels_;
    ExperimentPanel* panel_;
    RunLibrary* library_;
    FileWorker* files_;
    MessageBar* messages_;
    QWidget* window_;
    StreamCompareDialog* dialog_ = nullptr;
};

}  // namespace palimpsest
