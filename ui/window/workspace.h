// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLockFile>
#include <QObject>
#include <QStringList>
#include <QTimer>
#include <memory>

#include "ui/state/background.h"
#include "ui/window/workspace_file.h"

class QWidget;

namespace palimpsest {

class CurvesView;
class MessageBar;
class RunTableModel;
class WindowDocks;
struct RunRecord;
struct WindowState;

/// Everything that is open, written to a folder a moment after it changes and brought back at the next start. Reads
/// once, while the window is made; writes on a thread of its own.
class Workspace : public QObject {
    Q_OBJECT
public:
    /// Views that remember something of their own.
    struct Views {
        WindowDocks* docks;
        RunTableModel* list;
        CurvesView* curves;
        MessageBar* messages;
    };
    Workspace(const QString& folder, WindowState& state, const Views& views, QWidget* window);
    /// Writes what is not written yet, and waits for that.
    ~Workspace() override;

    /// Before the window is shown. True: there is an experiment to go on with. Says so where another program has the
    /// folder: then nothing is read or written there.
    bool restore();
    /// There are runs that will be shown again.
    bool hasRuns() const { return !state_.runs.isEmpty(); }
    /// Nothing is written while it is held: what is on the screen then goes away again.
    void setHeld(bool held);
    const QList<WorkspaceState::Recent>& recent() const { return state_.recent; }
    void noteRecent(const QString& title, const QString& path);

Q_SIGNALS:
    void recentChanged();
    /// hasRuns() may be false now.
    void runMissed();

private:
    /// False: another program that runs has this workspace.
    bool claim();
    bool restoreLayout();
    void restorePlace(const QRect& place);
    bool restoreExperiment();
    void restoreLanes();
    void addRun(const std::shared_ptr<const RunRecord>& run);
    void missRun(const QString& folder, const QString& message);
    void watch();
    void later() { timer_.start(); }
    void write();
    WorkspaceState currentState() const;
    QString screen() const;

    const QString folder_;
    QLockFile lock_;
    bool claimed_ = true;
    bool held_ = false;
    WindowState& open_;
    const Views views_;
    QWidget* window_;
    WorkspaceState state_;  ///< as read, and as noted since
    WorkspaceState written_;
    QStringList awaited_;  ///< runs that are being read
    QTimer timer_{this};
    Background background_{Background::Waiting::Finished};
};

}  // namespace palimpsest
