// SPDX-License-Identifier: GPL-3.0-or-later
// The end of the program: who asks for it, what is asked first, and what is stopped before.
#pragma once

#include <QMessageBox>
#include <QPointer>
#include <array>
#include <cstdint>
#include <optional>

#include "engine/learner/learner_wait.h"
#include "ui/state/background.h"

namespace palimpsest {

class AdaptationController;
class DatasetController;
class RemoteRuns;
class RunController;
class RunQueue;
class TalkBook;
class TrustJob;

/// SIGINT, SIGTERM and SIGHUP as a signal of the window's thread, so that a run is stopped and kept when the desktop or
/// a terminal ends the program. A SIGHUP that is ignored (nohup) stays so. The third signal ends the program at once.
/// One object at a time.
class QuitSignals : public QObject {
    Q_OBJECT
public:
    explicit QuitSignals(QObject* parent = nullptr);
    ~QuitSignals() override;

Q_SIGNALS:
    void asked();

private:
    void readSignals();

    int received_ = 0;
};

/// Asks before the window closes over work in progress, or over prompts or changes of a talk that would be lost,
/// without holding up that work.
/// Enter and Escape stay.
class QuitQuestion : public QMessageBox {
    Q_OBJECT
public:
    /// Prompts: they are done, but could not be written. There: something is being started on another machine.
    /// Learner: a run that was asked to stop waits for a program that learns.
    enum class Work { Run, Adaptation, Checks, Fetch, Prompts, Talk, Queue, There, Learner };
    /// `name`: of the experiment that is being learned, empty when none is. `talk`: a talk is not saved. `queued`: runs
    /// and sweeps that the queue works on; with some, there is a way to quit that lets them go on. `waiting`: those
    /// that wait for their turn.
    QuitQuestion(Work work, const QString& name, bool talk, int queued, int waiting, QWidget* window);
    Work work() const { return work_; }
    /// How the queue stands now.
    void setQueued(int queued, int waiting);
    /// Of Work::Learner, for what it waits. `closing`: the window closes by itself once that has answered.
    void tellLearner(const std::optional<LearnerWait>& wait, bool closing);
    /// Of Work::Learner, where its run can go on: images at its newest checkpoint; absent: there is none.
    void tellCheckpoint(std::optional<std::int64_t> newest);

Q_SIGNALS:
    /// `letGoOn`: what the queue works on, without the window.
    void quitChosen(bool letGoOn);

private:
    void showKept();

    const Work work_;
    QString kept_, from_, beside_;  ///< sentences in this order: of the work, of its checkpoint, of what else goes on
};

/// The end of the program: asks first where something is going on, stops it, and closes the window when it has stopped.
/// The window's thread never waits.
class QuitController : public QObject {
    Q_OBJECT
public:
    QuitController(RunController* controller, RunQueue* queue, AdaptationController* adaptation, TrustJob* checks,
                   DatasetController* datasets, const RemoteRuns* remote, const TalkBook* talk, QWidget* window);

    /// May the window close at once? If not, the user is being asked, or work is being stopped. Whoever closes once
    /// more over a program that learns and gives no answer is asked whether to end it.
    bool mayClose();
    /// Without a question.
    void stopAndClose();

private:
    bool busy() const;
    /// Nothing of it needs to be waited for: it stops, or goes on, without the window.
    bool queueWorks() const;
    /// Prompts that are done but could not be written are lost with the program.
    bool promptsUnwritten() const;
    void ask();
    void stopAll();
    /// Says in the question what is waited for, and where the run can go on once the disk has said it.
    void describeLearner();
    /// Something has come to its end.
    void continueClosing();
    /// There is nothing left to ask about.
    void withdrawQuestion();

    RunController* controller_;
    RunQueue* queue_;
    AdaptationController* adaptation_;
    TrustJob* checks_;
    DatasetController* datasets_;
    const RemoteRuns* remote_;
    const TalkBook* talk_;
    QWidget* window_;
    QPointer<QuitQuestion> question_;
    std::array<QString, 2> folders_;  ///< of the runs of the lanes; empty: none goes on, or it writes nothing
    bool closing_ = false;
    bool quit_chosen_ = false;  ///< closing_, by the choice of the user
    Background looks_;
};

}  // namespace palimpsest
