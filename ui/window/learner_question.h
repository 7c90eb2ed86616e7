// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPointer>
#include <functional>
#include <string>
#include <vector>

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

    /// A sentence about what changedSinceAllowed() gives; empty for none.
    static QString changeText(const std::vector<std::string>& changed);
    /// The same question where the program is only asked for its options.
    void askToDescribe(const LearnerCommand& command);
    /// The same for runs of the queue, which are programs of their own: there it is allowed for good or not at all.
    /// `then` is done once it is. False: another question is open, and this one is not asked.
    bool askToQueue(const LearnerCommand& command, const std::function<void()>& then);

Q_SIGNALS:
    /// The question of a run is asked, instead of a message that the run failed.
    void asked();
    /// A run waits for the answer, or no longer does.
    void waits(bool waiting);
    /// A program was allowed that was not before.
    void allowed();

private:
    enum class Purpose { Run, Describe, Queue };
    bool ask(const LearnerCommand& command, Purpose purpose, const std::function<void()>& then);
    /// Does `then` where it is allowed as the purpose needs it.
    void allow(const LearnerCommand& command, bool forGood, Purpose purpose, const std::function<void()>& then);

    RunController* controller_;
    QWidget* window_;
    QPointer<QMessageBox> question_;
};

}  // namespace palimpsest
