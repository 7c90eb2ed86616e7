// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPointer>

class QMessageBox;
class QWidget;

namespace palimpsest {

struct LearnerCommand;
class RunController;

/// Asks the user before a program is started that nobody has allowed: the experiment that names it may come from a
/// stranger. Where a run did not start for that reason and the user allows it, the same run is started again.
class LearnerQuestion : public QObject {
    Q_OBJECT
public:
    LearnerQuestion(RunController* controller, QWidget* window);

    /// The same question where the program is only asked for its options.
    void askToDescribe(const LearnerCommand& command);

Q_SIGNALS:
    /// The question is asked instead of a message that the run failed.
    void asked();
    /// A run waits for the answer, or no longer does.
    void waits(bool waiting);
    /// A program was allowed that was not before.
    void allowed();

private:
    void ask(const LearnerCommand& command, bool toRun);
    void allow(const LearnerCommand& command, bool forGood, bool toRun);

    RunController* controller_;
    QWidget* window_;
    QPointer<QMessageBox> question_;
};

}  // namespace palimpsest
