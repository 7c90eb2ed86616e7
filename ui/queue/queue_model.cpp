// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/queue/queue_model.h"

#include <QDataStream>
#include <QIODevice>
#include <QMimeData>
#include <algorithm>
#include <cmath>

#include "ui/state/number_text.h"
#include "ui/state/run_queue.h"
#include "ui/style/plain_tip.h"

namespace palimpsest {
namespace {

constexpr auto kQueuedType = "application/x-palimpsest-queued";
constexpr double kNoShare = 0.005;

QString perCentOf(double share) {
    return QString::number(std::floor(share * 100), 'f', 0) + QStringLiteral(" %");
}

/// The time comes first, since the end of a row may be cut, and in steps, since every change places the columns anew.
QString waitStateText(const LearnerWait& wait) {
    const QString time = wait.seconds < 60 ? QueueModel::tr("%1 s").arg(wait.seconds / 10 * 10)
                                           : QueueModel::tr("%1 min").arg(wait.seconds / 60);
    return QueueModel::tr("silent for %1: %2").arg(time, QString::fromStdString(wait.learner));
}

}  // namespace

QString queueStateText(const QueueJob& job, double share, const std::optional<LearnerWait>& wait) {
    const QString waits = wait ? waitStateText(*wait) : QString();
    const QString sentence = QString::fromStdString(job.sentence);
    switch (job.state) {
        case QueueState::Waiting:
            return job.starts > 0 ? QueueModel::tr("waiting to go on") : QueueModel::tr("waiting");
        case QueueState::Held:
            return sentence.isEmpty() ? QueueModel::tr("held") : QueueModel::tr("held: %1").arg(sentence);
        case QueueState::Running:
            if (wait) return waits;
            return share < kNoShare ? QueueModel::tr("running") : QueueModel::tr("running, %1").arg(perCentOf(share));
        case QueueState::Stopping:
            return wait ? QueueModel::tr("stopping, %1").arg(waits) : QueueModel::tr("stopping");
        case QueueState::Finished:
            return QueueModel::tr("finished");
        case QueueState::Failed:
            return QueueModel::tr("failed: %1").arg(sentence);
    }
    return {};
}

QueueModel::QueueModel(RunQueue* queue, QObject* parent) : QAbstractTableModel(parent), queue_(queue) {
    connect(queue, &RunQueue::changed, this, &QueueModel::refresh);
    connect(queue, &RunQueue::progressed, this, [this] {
        if (!ids_.isEmpty()) Q_EMIT dataChanged(index(0, kState), index(static_cast<int>(ids_.size()) - 1, kState));
    });
    refresh();
}

void QueueModel::refresh() {
    QList<std::int64_t> ids;
    for (const QueueJob& job : queue_->jobs()) ids.append(job.id);
    if (ids == ids_) {
        if (!ids_.isEmpty()) Q_EMIT dataChanged(index(0, 0), index(static_cast<int>(ids_.size()) - 1, kColumns - 1));
        return;
    }
    beginResetModel();
    ids_ = ids;
    endResetModel();
}

int QueueModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(ids_.size());
}

int QueueModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kColumns;
}

QVariant QueueModel::data(const QModelIndex& index, int role) const {
    const auto row = static_cast<std::size_t>(index.row());
    if (!index.isValid() || row >= queue_->jobs().size()) return {};
    const QueueJob& job = queue_->jobs()[row];
    if (role == IdRole) return QVariant::fromValue<qlonglong>(job.id);
    if (role == ShareRole) return job.working() ? queue_->share(job.id) : job.state == QueueState::Finished ? 1.0 : 0.0;
    if (role == FailedRole) return job.state == QueueState::Failed;
    const QString name = QString::fromStdString(job.name),
                  state = queueStateText(job, queue_->share(job.id), queue_->wait(job.id));
    if (role == Qt::ToolTipRole || role == Qt::AccessibleDescriptionRole) {
        QString words = tr("%1: %2").arg(name, state);
        // What has not begun, or failed before it wrote anything, has none.
        if (queue_->hasFolder(job.id)) words += '\n' + QString::fromStdString(job.folder.string());
        return role == Qt::ToolTipRole ? plainTip(words) : words;
    }
    if (role == Qt::DisplayRole || role == Qt::AccessibleTextRole) {
        if (index.column() == kName) return name;
        if (index.column() == kSeed) return job.isSweep() ? tr("sweep") : QString::number(job.seed);
        // Its sentence would be cut: the tip has it, and Show tells it.
        if (role == Qt::DisplayRole && job.state == QueueState::Failed) return tr("failed");
        return state;
    }
    if (role == Qt::TextAlignmentRole && index.column() == kSeed) return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    return {};
}

QList<int> QueueModel::longestSeeds() const {
    const std::vector<QueueJob>& jobs = queue_->jobs();
    int number = -1, sweep = -1;
    std::int64_t largest = -1;
    for (int row = 0; row < static_cast<int>(std::min<std::size_t>(jobs.size(), ids_.size())); ++row) {
        const QueueJob& job = jobs[static_cast<std::size_t>(row)];
        if (job.isSweep()) {
            sweep = row;
        } else if (job.seed > largest) {
            largest = job.seed;
            number = row;
        }
    }
    QList<int> rows;
    for (const int row : {number, sweep})
        if (row >= 0) rows.append(row);
    return rows;
}

QVariant QueueModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation == Qt::Horizontal && role == Qt::TextAlignmentRole && section == kSeed)
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    return section == kName ? tr("Name") : section == kSeed ? tr("Seed") : tr("State");
}

Qt::ItemFlags QueueModel::flags(const QModelIndex& index) const {
    // Between rows alone: a job dropped onto another would have no place.
    if (!index.isValid()) return Qt::ItemIsDropEnabled;
    return Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsDragEnabled | Qt::ItemNeverHasChildren;
}

QStringList QueueModel::mimeTypes() const {
    return {QString::fromLatin1(kQueuedType)};
}

QMimeData* QueueModel::mimeData(const QModelIndexList& indexes) const {
    QList<qlonglong> ids;
    for (const QModelIndex& index : indexes)
        if (index.column() == 0) ids.append(idAt(index.row()));
    QByteArray bytes;
    QDataStream stream(&bytes, QIODevice::WriteOnly);
    stream << ids;
    auto* data = new QMimeData;
    data->setData(QString::fromLatin1(kQueuedType), bytes);
    return data;
}

bool QueueModel::dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int, const QModelIndex& parent) {
    if (action != Qt::MoveAction || !data->hasFormat(QString::fromLatin1(kQueuedType)) || parent.isValid())
        return false;
    QList<qlonglong> ids;
    QDataStream stream(data->data(QString::fromLatin1(kQueuedType)));
    stream >> ids;
    // The job before which they go, whatever moves meanwhile; 0: at the end.
    std::int64_t before = row < 0 ? 0 : idAt(row);
    while (before != 0 && ids.contains(before)) before = idAt(rowOf(before) + 1);
    for (const qlonglong id : ids)
        queue_->move(id, before == 0 ? queue_->jobs().size() : static_cast<std::size_t>(rowOf(before)));
    // The rows have moved already: the view must not remove them.
    return false;
}

}  // namespace palimpsest
