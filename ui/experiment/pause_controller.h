// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QAction;
class QWidget;

namespace palimpsest {

class ActionBook;
class MessageBar;
class RunController;

/// Pauses that a run makes by itself under a condition, and checkpoints on demand.
class PauseController : public QObject {
    Q_OBJECT
public:
    /// Answers the commands PauseAtSessionEnd, PauseWhenForgotten and KeepCheckpoint of the book.
    PauseController(RunController* controller, const ActionBook& book, MessageBar* messages, QWidget* window);

private:
    void refresh();
    void pauseAtSessionEnd(bool on);
    void askForSession();
    void keepCheckpoint();

    RunController* controller_;
    MessageBar* messages_;
    QWidget* window_;
    QAction *at_end_, *forgotten_, *keep_;
};

}  // namespace palimpsest
