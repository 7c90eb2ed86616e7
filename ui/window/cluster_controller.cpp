// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/cluster_controller.h"

#include "engine/support/format.h"
#include "ui/queue/submit_dialog.h"
#include "ui/queue/sweep_editor.h"
#include "ui/queue/sweep_page.h"
#include "ui/state/engine_text.h"
#include "ui/state/remote_runs.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/queue_controller.h"

namespace palimpsest {
namespace {

const QString kClusterTopic = QStringLiteral("cluster");

QString jobsText(const QStringList& jobs) {
    return QString::fromStdString(counted(jobs.size(), "job", "jobs"));
}

}  // namespace

ClusterController::ClusterController(RemoteRuns* remote, QueueController* queue, MessageBar* messages, QObject* parent)
    : QObject(parent), remote_(remote), queue_(queue), messages_(messages) {
    connect(queue, &QueueController::editorMade, this, [this](SweepEditor* editor) { take(editor); });
    connect(queue, &QueueController::pageMade, this, [this](SweepPage* page) { take(page); });
    connectNews();
}

void ClusterController::setRemembered(const QStringList& fields) {
    remembered_ = fields;
    if (editor_) editor_->submitDialog()->setFields(fields);
}

void ClusterController::take(SweepEditor* editor) {
    editor_ = editor;
    if (!remembered_.isEmpty()) editor->submitDialog()->setFields(remembered_);
    connect(editor, &SweepEditor::submitChosen, this, [this](const ClusterRequest& request) {
        remembered_ = editor_->submitDialog()->fields();
        Q_EMIT remembered(remembered_);
        remote_->submit(request);
    });
}

void ClusterController::take(SweepPage* page) {
    page_ = page;
    connect(page, &SweepPage::opened, this,
            [this](const QString& folder) { page_->setStanding(remote_->standing(folder)); });
    connect(page, &SweepPage::cancelAsked, this, [this](const QString& folder) {
        page_->setBusy(true);
        remote_->cancel(folder);
    });
    connect(page, &SweepPage::followAsked, remote_, &RemoteRuns::followSweep);
    connect(page, &SweepPage::checkpointsAsked, this, [this](const QString& folder) {
        page_->setBusy(true);
        messages_->showLatest(MessageBar::Kind::Info, kClusterTopic, tr("Bringing checkpoints here …"),
                              tr("The sweep's table stands still meanwhile."));
        remote_->bringCheckpoints(folder);
    });
}

bool ClusterController::shows(const QString& folder) const {
    return page_ && page_->folder() == folder;
}

void ClusterController::connectNews() {
    connect(remote_, &RemoteRuns::submitted, this, [this](const ClusterRequest& request, const QStringList& jobs) {
        const QString where = request.place.empty() ? tr("this computer") : QString::fromStdString(request.place);
        if (jobs.isEmpty())
            messages_->showPassing(kClusterTopic, tr("All runs have finished; there is nothing to submit"), where);
        else
            messages_->showLatest(
                MessageBar::Kind::Info, kClusterTopic,
                tr("Slurm has the sweep: %1, %2.").arg(jobsText(jobs), jobs.join(QStringLiteral(", "))),
                request.place.empty() ? tr("It goes on when this window is closed.")
                                      : tr("It goes on in %1 when this window is closed, and is followed again by the "
                                           "next one.")
                                            .arg(where));
        if (editor_) editor_->submitted();
        queue_->showSweep(QString::fromStdString(request.folder.string()));
    });
    connect(remote_, &RemoteRuns::submitFailed, this, [this](const QString& message, const QString& hint) {
        if (editor_) editor_->submitDialog()->fail(withOptionTitles(Failure{message, hint}));
    });
    connect(remote_, &RemoteRuns::standingChanged, this, [this](const QString& folder) {
        if (shows(folder)) page_->setStanding(remote_->standing(folder));
    });
    connect(remote_, &RemoteRuns::cancelled, this, [this](const QString& folder, const QStringList& jobs) {
        if (shows(folder)) page_->setBusy(false);
        messages_->showPassing(kClusterTopic,
                               jobs.isEmpty() ? tr("All jobs had ended") : tr("Cancelled %1").arg(jobsText(jobs)),
                               jobs.join(QStringLiteral(", ")));
    });
    connect(remote_, &RemoteRuns::brought, this, [this](const QString& folder, qint64 bytes) {
        if (shows(folder)) page_->setBusy(false);
        messages_->showPassing(
            kClusterTopic,
            tr("Checkpoints and prompts are here, %1 over the line").arg(QString::fromStdString(byteCount(bytes))),
            folder);
    });
    connect(remote_, &RemoteRuns::failed, this, [this] {
        if (page_) page_->setBusy(false);
    });
    connect(remote_, &RemoteRuns::sweepEnded, this, [this](const QString& place) {
        messages_->withdraw(place);
        messages_->showPassing(kClusterTopic, tr("The sweep on another machine has ended"), place);
    });
}

}  // namespace palimpsest
