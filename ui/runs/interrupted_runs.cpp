// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/interrupted_runs.h"

#include <utility>

#include "engine/library/run_notes.h"
#include "engine/record/checkpoints.h"
#include "ui/state/run_controller.h"
#include "ui/state/run_library.h"
#include "ui/state/run_queue.h"
#include "ui/state/run_set.h"
#include "ui/style/text_style.h"
#include "ui/widgets/message_bar.h"

namespace palimpsest {
namespace {

const QString kTopic = QStringLiteral("interrupted runs");

QString idOf(const RunRow& row) {
    return RunSet::idOf(row.folder.string(), 0);
}

/// Reads its folder; false where that cannot be read.
bool isOffered(const RunRow& row) {
    try {
        return !readNotes(row.folder).left_alone && !listCheckpoints(row.folder).empty();
    } catch (const std::exception&) {
        return false;
    }
}

}  // namespace

InterruptedRuns::InterruptedRuns(RunLibrary* library, RunController* controller, MessageBar* messages, QObject* parent)
    : QObject(parent), library_(library), controller_(controller), messages_(messages) {
    connect(library, &RunLibrary::scanned, this, &InterruptedRuns::search, Qt::SingleShotConnection);
    connect(controller->bridge(), &RunBridge::started, this, [this](const RunStarted& event) {
        if (RunSet::idOf(event.folder, event.run) == offered_) withdraw();
    });
    connect(library, &RunLibrary::removed, this, [this](const QStringList& ids) {
        if (ids.contains(offered_)) withdraw();
    });
}

void InterruptedRuns::setQueue(const RunQueue* queue) {
    queue_ = queue;
    // It may be read after the runs were, and again once the window that had it is closed.
    connect(queue, &RunQueue::opened, this, [this] {
        const bool before = std::exchange(theirs_, queue_->elsewhere());
        const bool still = before && theirs_, left = before && !theirs_;
        if (still ? !queued().contains(offered_) : offered_.isEmpty() && !left) return;
        withdraw();
        search();
    });
}

QSet<QString> InterruptedRuns::queued() const {
    QSet<QString> ids;
    if (!queue_) return ids;
    for (const std::vector<QueueJob>* jobs : {&queue_->jobs(), &queue_->othersJobs()})
        for (const QueueJob& job : *jobs)
            if (!job.ended()) ids.insert(RunSet::idOf(job.folder.string(), 0));
    return ids;
}

void InterruptedRuns::search() {
    std::vector<RunRowPtr> crashed;
    for (const RunRowPtr& row : library_->rows())
        if (row->state == RecordedState::Crashed && !row->notes.hidden) crashed.push_back(row);
    if (crashed.empty()) return;
    background_.run(
        [crashed = std::move(crashed)]() mutable {
            std::erase_if(crashed, [](const RunRowPtr& row) { return !isOffered(*row); });
            return std::move(crashed);
        },
        [this](const std::vector<RunRowPtr>& runs) { offer(runs); });
}

void InterruptedRuns::offer(std::vector<RunRowPtr> runs) {
    std::erase_if(runs, [ids = queued()](const RunRowPtr& run) { return ids.contains(idOf(*run)); });
    Q_EMIT found(static_cast<int>(runs.size()));
    if (runs.empty()) return;
    const RunRowPtr newest = runs.front();
    const int more = static_cast<int>(runs.size()) - 1;
    offered_ = idOf(*newest);
    QStringList all;
    for (const RunRowPtr& run : runs) all.append(idOf(*run));
    QString hint = tr("It can go on from its last checkpoint as if nothing had happened.");
    if (more > 0) hint += " " + tr("The list of runs has %n more.", nullptr, more);
    const auto resume = [controller = controller_, folder = offered_] {
        controller->start(ResumeLaunch{folder.toStdString()});
    };
    const auto decline = [library = library_, all] {
        library->editNotes(all, [](RunNotes& notes) { notes.left_alone = true; });
    };
    messages_->showLatest(MessageBar::Kind::Note, kTopic,
                          tr("“%1” was interrupted after %2 of %3 images.")
                              .arg(QString::fromStdString(newest->name), countText(newest->samples_seen),
                                   countText(newest->total_samples)),
                          hint, {{tr("Resume"), resume}, {tr("Do not ask again"), decline}});
}

void InterruptedRuns::withdraw() {
    offered_.clear();
    messages_->withdraw(kTopic);
}

}  // namespace palimpsest
