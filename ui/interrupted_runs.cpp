// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/interrupted_runs.h"

#include "engine/run/checkpoint_record.h"
#include "ui/curve_store.h"
#include "ui/message_bar.h"
#include "ui/run_controller.h"
#include "ui/run_library.h"
#include "ui/text_style.h"

namespace palimpsest {

InterruptedRuns::InterruptedRuns(RunLibrary* library, RunController* controller, MessageBar* messages, QObject* parent)
    : QObject(parent), library_(library), controller_(controller), messages_(messages) {
    connect(library, &RunLibrary::scanned, this, &InterruptedRuns::look, Qt::SingleShotConnection);
}

InterruptedRuns::~InterruptedRuns() {
    pool_.clear();
    pool_.waitForDone();
}

void InterruptedRuns::look() {
    std::vector<RunRowPtr> crashed;
    for (const RunRowPtr& row : library_->rows())
        if (row->state == "crashed" && !row->notes.hidden) crashed.push_back(row);
    if (crashed.empty()) return;
    pool_.start([this, crashed = std::move(crashed)]() mutable {
        std::erase_if(crashed, [](const RunRowPtr& row) { return listCheckpoints(row->folder).empty(); });
        QMetaObject::invokeMethod(
            this, [this, crashed = std::move(crashed)] { offer(crashed); }, Qt::QueuedConnection);
    });
}

void InterruptedRuns::offer(const std::vector<RunRowPtr>& runs) {
    Q_EMIT looked(static_cast<int>(runs.size()));
    if (runs.empty()) return;
    const RunRowPtr newest = runs.front();
    const int more = static_cast<int>(runs.size()) - 1;
    const QString folder = CurveStore::idOf(newest->folder.string(), 0);
    QString hint = tr("It can go on from its last checkpoint as if nothing had happened.");
    if (more > 0) hint += " " + tr("The list of runs has %n more.", nullptr, more);
    messages_->showMessage(MessageBar::Kind::Note,
                           tr("“%1” was interrupted after %2 of %3 images.")
                               .arg(QString::fromStdString(newest->name), countText(newest->samples_seen),
                                    countText(newest->total_samples)),
                           hint, {tr("Go on"), [controller = controller_, folder] { controller->goOn(folder); }});
}

}  // namespace palimpsest
