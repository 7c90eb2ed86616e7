// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/open_controller.h"

#include <QFileInfo>
#include <QMimeData>
#include <QUndoStack>
#include <QUrl>
#include <algorithm>

#include "ui/runs/interrupted_runs.h"
#include "ui/runs/run_actions.h"
#include "ui/runs/runs_panel.h"
#include "ui/state/window_state.h"
#include "ui/widgets/message_bar.h"

namespace palimpsest {

OpenController::OpenController(WindowState& state, RunsPanel* runs, MessageBar* messages)
    : state_(state), runs_(runs), messages_(messages) {
    FileWorker* files = &state_.files;
    connect(runs_->actions(), &RunActions::openRequested, this, &OpenController::open);
    connect(runs_->actions(), &RunActions::resumeRequested, this,
            [this](const QString& folder) { state_.controller.start(ResumeLaunch{folder.toStdString()}); });
    interrupted_ = std::make_unique<InterruptedRuns>(&state_.library, &state_.controller, messages_);
    interrupted_->setQueue(&state_.queue);
    connect(files, &FileWorker::experimentRead, this, [this](const Experiment& experiment, const QString& file) {
        showExperiment(experiment, file);
        Q_EMIT replaced();
        Q_EMIT opened(true);
    });
    connect(files, &FileWorker::runRead, this, [this](const std::shared_ptr<const RunRecord>& run) {
        // Before what the run itself has to say.
        Q_EMIT replaced();
        showRun(run);
        Q_EMIT opened(true);
    });
    connect(files, &FileWorker::sweepFound, this, [this](const QString& folder) {
        const QFileInfo place(QFileInfo(folder).absoluteFilePath());
        Q_EMIT cameFrom(place.fileName(), place.filePath());
        Q_EMIT sweepAsked(place.filePath());
        Q_EMIT opened(true);
    });
    connect(files, &FileWorker::resultsFound, this,
            [this](const QString& file) { runs_->actions()->importFiles({file}); });
    connect(files, &FileWorker::failed, this, [this](const QString& message, const QString& hint) {
        messages_->showMessage(MessageBar::Kind::Error, message, hint);
    });
    connect(files, &FileWorker::openFailed, this, [this](const QString& message, const QString& hint) {
        messages_->showMessage(MessageBar::Kind::Error, message, hint, {}, kOpenFailure);
        Q_EMIT opened(false);
    });
}

OpenController::~OpenController() = default;

void OpenController::open(const QString& what) {
    messages_->withdraw(kOpenFailure);
    openBehind(what);
}

void OpenController::openBehind(const QString& what) {
    state_.files.open(what);
}

void OpenController::showExperiment(const Experiment& experiment, const QString& file) {
    ExperimentDraft* draft = state_.controller.draft();
    const QString name = QString::fromStdString(experiment.name);
    // With nothing done yet there is nothing to go back to.
    if (draft->undoStack()->count() == 0 && !session_resumed_)
        draft->restart(experiment);
    else
        draft->replace(experiment, tr("opening of %1").arg(name));
    state_.saved.keep(file, experiment);
    if (file.isEmpty()) return;
    Q_EMIT cameFrom(name, file);
    Q_EMIT experimentOpened();
}

void OpenController::showRun(const std::shared_ptr<const RunRecord>& record) {
    const RunRecord& run = *record;
    const QString name = QString::fromStdString(run.experiment.name);
    Q_EMIT cameFrom(name, QString::fromStdString(run.folder.string()));
    state_.library.add(record);
    state_.figures.runs.addRecord(run);
    state_.figures.runs.select(RunSet::idOf(run.folder.string(), 0));
    state_.controller.draft()->replace(run.experiment, tr("opening of %1").arg(name));
    if (run.state == RecordedState::Crashed)
        messages_->showMessage(MessageBar::Kind::Note,
                               tr("This run has crashed. What it measured until then is shown."));
    for (const std::string& warning : run.warnings)
        messages_->showMessage(MessageBar::Kind::Note, QString::fromStdString(warning));
}

bool OpenController::accepts(const QMimeData& data) {
    const QList<QUrl> urls = data.urls();
    return std::any_of(urls.begin(), urls.end(), [](const QUrl& url) { return url.isLocalFile(); });
}

void OpenController::drop(const QMimeData& data) {
    messages_->withdraw(kOpenFailure);
    for (const QUrl& url : data.urls()) {
        if (url.isLocalFile()) openBehind(url.toLocalFile());  // what is said of another one of them stays
    }
}

}  // namespace palimpsest
