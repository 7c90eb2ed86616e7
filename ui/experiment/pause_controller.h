// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QObject>
#include <cstdint>

#include "engine/run/run_control.h"

class QAbstractSpinBox;
class QAction;
class QLabel;

namespace palimpsest {

class ActionBook;
class IntegerField;
class MessageBar;
class NumberEntry;
class RealField;
class RunController;

/// Asks for the session, and the accuracy below which it counts as forgotten.
class PauseDialog : public QDialog {
    Q_OBJECT
public:
    /// `now`: the present condition of the run.
    PauseDialog(std::int64_t sessions, const PauseCondition& now, QWidget* parent = nullptr);

Q_SIGNALS:
    /// `session` from 0, `below` from 0 to 1.
    void chosen(std::int64_t session, double below);
    void withdrawn();

private:
    /// The refusal of a field stands below it.
    void listenTo(QAbstractSpinBox* box, NumberEntry& entry);
    void choose();

    IntegerField* session_;
    RealField* below_;
    QLabel* note_;
    bool refused_ = false;  ///< a field refused its text, and the user has not pressed a button since
};

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
