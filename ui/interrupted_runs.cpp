// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/interrupted_runs.h"

#include "ui/curve_store.h"
#include "ui/message_bar.h"
#include "ui/run_controller.h"
#include "ui/run_library.h"
#include "ui/text_style.h"

namespace palimpsest {

InterruptedRuns::InterruptedRuns(RunLibrary* library, RunController* controller, MessageBar* messages, QObject* parent)
    : QObject(parent), library_(library), controller_(controller), messages_(messages) {
    connect(library, &RunLibrary::scanned, this, &InterruptedRuns::offer, Qt::SingleShotConnection);
}

void InterruptedRuns::offer() {
    RunRowPtr newest;
    int more = -1;
    for (const RunRowPtr& row : library_->rows()) {
        if (row->state != "crashed" || row->notes.hidden) continue;
        if (!newest) newest = row;
        ++more;
    }
    if (!newest) return;
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
