// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace palimpsest {

class MessageBar;
class RunController;
class RunLibrary;

/// When the window has looked through the runs for the first time: offers to go on with the newest that a crash or a
/// loss of power ended.
class InterruptedRuns : public QObject {
    Q_OBJECT
public:
    InterruptedRuns(RunLibrary* library, RunController* controller, MessageBar* messages, QObject* parent = nullptr);

private:
    void offer();

    RunLibrary* library_;
    RunController* controller_;
    MessageBar* messages_;
};

}  // namespace palimpsest
