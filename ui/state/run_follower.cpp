// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/run_follower.h"

#include <QFileInfo>
#include <QStringList>
#include <utility>

#include "ui/state/run_library.h"
#include "ui/state/run_set.h"

namespace palimpsest {

RunFollower::RunFollower(RunSet* store, RunLibrary* library, QObject* parent, std::chrono::milliseconds every)
    : QObject(parent), store_(store), library_(library) {
    timer_.setInterval(every);
    connect(&timer_, &QTimer::timeout, this, &RunFollower::poll);
    connect(library_, &RunLibrary::changed, this, &RunFollower::update);
    update();
}

/// Runs that another program writes; those of this program emit their own events.
QStringList RunFollower::growing() const {
    QStringList ids;
    for (const RunRowPtr& row : library_->rows()) {
        if (row->state != RecordedState::Running) continue;
        const QString id = RunSet::idOf(row->folder.string(), 0);
        const ShownRun* run = store_->find(id);
        if (!run || !run->live) ids.push_back(id);
    }
    // A folder may be unreadable for a moment.
    for (const ShownRun* run : store_->runs())
        if (run->growing && !library_->find(run->id)) ids.push_back(run->id);
    return ids;
}

void RunFollower::poll() {
    update();
    const QStringList ids = growing();
    if (ids.isEmpty())
        timer_.stop();
    else if (!library_->scanning())
        library_->rescan(ids);
}

void RunFollower::update() {
    for (const ShownRun* run : store_->runs()) {
        const QString id = run->id;
        const RunLibrary::Record record = library_->find(id);
        // One that had ended may go on: it was resumed elsewhere, or its machine is reached again.
        const bool again = record && !run->live && run->row && record->state == RecordedState::Running;
        if (!run->growing && !again) continue;
        if (record) {
            if (std::exchange(given_[id], record) != record) store_->addRecord(*record);
        } else if (!QFileInfo::exists(id))
            store_->remove(id);  // deleted by the program that wrote it
    }
    if (!growing().isEmpty() && !timer_.isActive()) timer_.start();
}

}  // namespace palimpsest
