// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_drop.h"

#include <QDropEvent>
#include <QMimeData>
#include <QWidget>

#include "ui/runs/run_table_model.h"
#include "ui/state/run_set.h"

namespace palimpsest {

/// Qt offers drops that a child does not accept to its parents.
RunDrop::RunDrop(QWidget* target) : QObject(target) {
    target->setAcceptDrops(true);
    target->installEventFilter(this);
}

bool RunDrop::eventFilter(QObject* watched, QEvent* event) {
    const bool drag = event->type() == QEvent::DragEnter || event->type() == QEvent::DragMove;
    if (!drag && event->type() != QEvent::Drop) return QObject::eventFilter(watched, event);
    auto* drop = static_cast<QDropEvent*>(event);
    if (!drop->mimeData()->hasFormat(QString::fromLatin1(RunTableModel::kMimeType))) {
        // Files and the like are the window's.
        event->ignore();
        return true;
    }
    drop->setDropAction(Qt::CopyAction);
    drop->accept();
    if (!drag) Q_EMIT dropped(RunTableModel::idsIn(*drop->mimeData()));
    return true;
}

// The other end: what a drag carries.

QStringList RunTableModel::runsAt(const QModelIndexList& indexes) const {
    QSet<int> rows;
    QSet<QString> known;
    QStringList ids;
    for (const QModelIndex& index : indexes) {
        if (rows.contains(index.row())) continue;
        rows.insert(index.row());
        for (const QString& id : runsAt(index)) {
            if (known.contains(id)) continue;
            known.insert(id);
            ids.push_back(id);
        }
    }
    return ids;
}

QStringList RunTableModel::mimeTypes() const {
    return {QString::fromLatin1(kMimeType)};
}

QMimeData* RunTableModel::mimeData(const QModelIndexList& indexes) const {
    const QStringList ids = runsAt(indexes);
    auto* data = new QMimeData;
    data->setData(QString::fromLatin1(kMimeType), ids.join('\n').toUtf8());
    return data;
}

QStringList RunTableModel::idsIn(const QMimeData& data) {
    return QString::fromUtf8(data.data(QString::fromLatin1(kMimeType))).split('\n', Qt::SkipEmptyParts);
}

}  // namespace palimpsest
