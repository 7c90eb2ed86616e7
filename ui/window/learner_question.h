// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPointer>

class QMessageBox;
class QWidget;

namespace palimpsest {

struct LearnerCommand;
class RunController;

/// Asks the user when a run did not start because its experiment names a program that nobody has allowed: it may come
/// from a stranger. Where the user allows it, the same run is started again.
class LearnerQuestion : public QObject {
    Q_OBJECT
public:
    LearnerQuestion(RunController* controller, QWidget* window);

private:
    void ask();
    void startAgain(const LearnerCommand& command, bool forGood);

    RunController* controller_;
    QWidget* window_;
    QPointer<QMessageBox> question_;
};

}  // namespace palimpsest
