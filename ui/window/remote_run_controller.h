// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QList>
#include <QObject>
#include <QString>
#include <QStringList>

#include "ui/state/engine_text.h"
#include "ui/state/remote_runs.h"

class QAction;
class QLabel;
class QLineEdit;
class QMenu;
class QPushButton;

namespace palimpsest {

class MessageBar;
class RunsPanel;
struct WindowState;

/// Asks for the machine, the folder of runs there, and the program if it is not found by itself. Stays open while the
/// run is started, and where that fails, with the sentence that says why.
class RemoteRunDialog : public QDialog {
    Q_OBJECT
public:
    explicit RemoteRunDialog(QWidget* parent = nullptr);

    /// Machine, folder and program, as they were remembered.
    void setFields(const QStringList& fields);
    QStringList fields() const;
    /// "ssh://MACHINE/FOLDER".
    QString place() const;
    /// Shows itself for an experiment of this name; what was typed stays.
    void ask(const QString& name);
    /// It was not started, and why; what was typed stays.
    void fail(const Failure& failure);
    /// It was started.
    void finish();
    /// The start has no answer yet.
    bool busy() const { return busy_; }

Q_SIGNALS:
    void startAsked();

private:
    void refresh();
    void setBusy(bool busy);

    bool busy_ = false;
    QLabel *experiment_, *fault_;
    QLineEdit *machine_, *folder_, *program_;
    QPushButton* start_;
};

/// "Run on another machine": starts the experiment there and shows it among the runs, where it grows. The places of the
/// last times are entries of a menu beside it, "Run on".
class RemoteRunController : public QObject {
    Q_OBJECT
public:
    /// `here` starts it on this computer; `there` opens the dialog, and stands in a menu.
    RemoteRunController(WindowState& state, RunsPanel* runs, MessageBar* messages, QAction* here, QAction* there,
                        QWidget* window);
    ~RemoteRunController() override;

    /// RemoteRunDialog::fields() of the last times, the newest first, which the dialog begins with.
    void setRemembered(const QStringList& fields);
    void showDialog();
    RemoteRunDialog* dialog() const { return dialog_; }
    RemoteRuns* runs() { return &remote_; }

Q_SIGNALS:
    void remembered(const QStringList& fields);

private:
    void start(const QStringList& given);
    /// False, and says so, where a field of the form shows a text that it refused.
    bool allTaken();
    /// Keeps the fields that named this place, where a run has begun.
    void remember(const QString& place, const QString& program);
    /// The dialog waits for a start in this place, as RemoteRuns names it.
    bool dialogWaits(const QString& place) const;
    void fillMenu();
    void connectNews();
    /// Selects a run that has arrived as soon as the library knows it.
    void selectArrived();

    WindowState& state_;
    RunsPanel* panel_;
    MessageBar* messages_;
    QAction *here_, *there_;
    QWidget* window_;
    QMenu* menu_ = nullptr;  ///< null until a place is remembered
    RemoteRunDialog* dialog_ = nullptr;
    QStringList remembered_, arrived_;
    QList<QStringList> asked_;  ///< fields of starts
    RemoteRuns remote_;
};

}  // namespace palimpsest
