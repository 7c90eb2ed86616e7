// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <memory>

class QMimeData;

namespace palimpsest {

/// Topic of the message that something could not be opened.
inline const QString kOpenFailure = QStringLiteral("open failure");

class InterruptedRuns;
class MessageBar;
class RunsPanel;
struct Experiment;
struct RunRecord;
struct WindowState;

/// Opens experiments and runs, and files that are dropped onto the window.
class OpenController : public QObject {
    Q_OBJECT
public:
    OpenController(WindowState& state, RunsPanel* runs, MessageBar* messages);
    ~OpenController() override;

    /// A run folder, the folder of a sweep, a folder of images, results of another program, an experiment file or the
    /// name of a preset; read in the background.
    void open(const QString& what);
    /// The same for what stands behind the message of an open() that failed, which stays.
    void openBehind(const QString& what);
    /// Opening becomes a step of Undo from now on, so that the draft of the last session is not lost.
    void resumeSession() { session_resumed_ = true; }
    static bool accepts(const QMimeData& data);
    void drop(const QMimeData& data);

Q_SIGNALS:
    /// The result of open() is shown, or its failure. Images are answered by DatasetController, results of another
    /// program by RunLibrary.
    void opened(bool success);
    /// An experiment of a file, a run, or a sweep.
    void cameFrom(const QString& name, const QString& path);
    /// Another experiment is in the form.
    void replaced();
    /// An experiment of a file is shown.
    void experimentOpened();
    /// The folder of a sweep is to be shown.
    void sweepAsked(const QString& folder);

private:
    void showExperiment(const Experiment& experiment, const QString& file);
    void showRun(const std::shared_ptr<const RunRecord>& record);

    WindowState& state_;
    RunsPanel* runs_;
    MessageBar* messages_;
    std::unique_ptr<InterruptedRuns> interrupted_;
    bool session_resumed_ = false;
};

}  // namespace palimpsest
