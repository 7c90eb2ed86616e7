// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <utility>

#include "ui/state/number_text.h"
#include "ui/state/run_controller.h"
#include "ui/state/run_progress.h"
#include "ui/state/throttle.h"

class QLabel;
class QMenuBar;
class QProgressBar;
class QPushButton;

namespace palimpsest {

class ActionBook;
class FittingLabel;
enum class Command;

/// The product's name, the verbs (the next sensible one filled), where the run is, and the menus.
class TopBar : public QFrame {
    Q_OBJECT
public:
    /// `book`: commands whose keys the tips name; null: without keys, and without Find.
    TopBar(RunController* controller, QMenuBar* menus, const ActionBook* book, QWidget* parent = nullptr);
    /// Stands beside the menus. It may come and go, and the words about the run give way to it.
    void addNote(QWidget* note);
    /// While the window is a stage, replays are a talk's: what was said of the last run comes back behind them.
    void setStaged(bool staged);
    /// `asking`: the user is asked if the program that learns may be started, and until then nothing has failed.
    void setAsking(bool asking);
    /// What comes next is another run: what was said of the last one leaves.
    void forgetOutcome();
    /// The same where that was a failure.
    void forgetFailure();
    /// Minimum size of the parts that do not give way.
    QSize minimumSizeHint() const override;

protected:
    bool event(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

public Q_SLOTS:
    /// The tips name the keys, which the user may change.
    void refreshKeys();

private:
    /// Words about the run, the least needed first.
    QList<QWidget*> optional() const;
    void giveWay();
    /// Takes so many pixels from the name of the experiment; nothing is done where too little of it would be left.
    void shortenName(int pixels);
    void refreshState();
    /// Texts of the present state, the longest first.
    QStringList statuses() const;
    void showStatus(const QStringList& texts);
    /// With the keys of the command, where it has some.
    QString tip(const QString& words, Command command) const;

    RunController* controller_;
    const ActionBook* book_;
    QPushButton* start_;
    QPushButton* queue_;
    QPushButton* step_;
    QPushButton* stop_;
    QPushButton* find_;
    QLabel* name_;
    QString title_;  ///< the name, whole
    QLabel* session_;
    QLabel* images_;
    QProgressBar* bar_;
    FittingLabel* pace_;
    int wanted_ = 0, least_ = 0;  ///< room for the status, whole and short
    std::pair<RunState, bool> status_of_{RunState::Idle, false};
    Throttle throttle_;
    RunProgress progress_;
    bool staged_ = false, asking_ = false;
    std::optional<RunProgress> before_stage_;
};

}  // namespace palimpsest
