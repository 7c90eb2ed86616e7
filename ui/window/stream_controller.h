// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include "ui/state/stream_planner.h"

namespace palimpsest {

class ExperimentPanel;
class MessageBar;
class StreamCompareDialog;
struct WindowState;

/// Compares and exports the composed stream.
class StreamController : public QObject {
    Q_OBJECT
public:
    StreamController(WindowState& state, ExperimentPanel* panel, MessageBar* messages, QWidget* window);

public Q_SLOTS:
    void compare();
    /// `folder`: where the dialog begins.
    void askWhereToExport(const QString& folder);

private:
    void exportTo(const std::shared_ptr<const PlannedStream>& stream, const QString& file);

    WindowState& state_;
    ExperimentPanel* panel_;
    MessageBar* messages_;
    QWidget* window_;
    StreamCompareDialog* dialog_ = nullptr;
};

}  // namespace palimpsest
