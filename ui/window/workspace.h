// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QStringList>
#include <QTimer>
#include <memory>

#include "ui/state/background.h"
#include "ui/window/workspace_file.h"

class QWidget;

namespace palimpsest {

class RunSet;
class CurvesView;
class FileWorker;
class SavedExperiment;
class LaneDraft;
class MessageBar;
class RunController;
class RunTableModel;
class WindowDocks;
struct RunRecord;

/// What is open: written to a folder a moment after it changes, and brought back when the program starts again. Reads
/// once, while the window is made; writes on a thread of its own.
class Workspace : public QObject {
    Q_OBJECT
public:
    struct Parts {
        QWidget* window;
        WindowDocks* docks;
        RunController* controller;
        LaneDraft* lanes;
        SavedExperiment* kept;
        RunSet* store;
        RunTableModel* list;
        CurvesView* curves;
        FileWorker* files;
        MessageBar* messages;
    };
    Workspace(const QString& folder, const Parts& parts, QObject* parent = nullptr);
    /// Writes what is not written yet, and waits for that.
    ~Workspace() override;

    /// Before the window is shown. True: there is an experiment to go on with.
    bool restore();
    /// There are runs that will be shown again.
    bool hasRuns() const { return !state_.runs.isEmpty(); }
    const QList<WorkspaceState::Recent>& recent() const { return state_.recent; }
    void noteRecent(const QString& title, const QString& path);

Q_SIGNALS:
    void recentChanged();
    /// hasRuns() may be false now.
    void runMissed();

private:
    bool restoreLayout();
    void restorePlace(const QRect& place);
    bool restoreExperiment();
    void restoreLanes();
    void takeRun(const std::shared_ptr<const RunRecord>& run);
    void missRun(const QString& folder, const QString& message);
    void watch();
    void later() { timer_.start(); }
    void write();
    WorkspaceState look() const;
    QString screen() const;

    const QString folder_;
    const Parts parts_;
    WorkspaceState state_;  ///< as read, and as noted since
    WorkspaceState written_;
    QStringList awaited_;  ///< runs that are being read
    QTimer timer_{this};
    Background background_{Background::Waiting::Finished};
};

}  // namespace palimpsest
