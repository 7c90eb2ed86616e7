// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QAction;
class QWidget;

namespace palimpsest {

class ActionBook;
class MessageBar;
class RunController;

/// When a run is to pause by itself, and checkpoints by a person's wish.
class PauseController : public QObject {
    Q_OBJECT
public:
    /// Answers the commands pauseAtSessionEnd, pauseWhenForgotten and keepCheckpoint of the book.
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
