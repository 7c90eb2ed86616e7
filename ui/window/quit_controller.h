// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPointer>

class QWidget;

namespace palimpsest {

class AdaptationController;
class DatasetController;
class QuitQuestion;
class RunController;

/// The end of the program: asks first where something is going on, stops it, and closes the window when it has stopped.
/// The window's thread never waits.
class QuitController : public QObject {
    Q_OBJECT
public:
    QuitController(RunController* controller, AdaptationController* adaptation, DatasetController* datasets,
                   QWidget* window);

    /// The window wants to close: whether it may at once. If not, the person is being asked, or things are being
    /// stopped.
    bool mayClose();
    /// Without a question.
    void stopAndClose();

private:
    bool busy() const;
    /// Prompts that are done but could not be written are lost with the program.
    bool promptsUnwritten() const;
    void ask();
    void stopAll();
    /// Something has come to its end.
    void goOn();
    /// There is nothing left to ask about.
    void withdrawQuestion();

    RunController* controller_;
    AdaptationController* adaptation_;
    DatasetController* datasets_;
    QWidget* window_;
    QPointer<QuitQuestion> question_;
    bool closing_ = false;
    bool quit_chosen_ = false;  ///< closing_, and a person chose it
};

}  // namespace palimpsest
