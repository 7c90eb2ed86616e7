// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QList>
#include <cstdint>
#include <optional>

#include "engine/learner/learner_wait.h"
#include "engine/sweep/queue_file.h"

namespace palimpsest {

class RunQueue;

/// "waiting", "running, 42 %", "silent for 2 min: nearest mean", "failed: ...": how a job stands, for
/// people.
QString queueStateText(const QueueJob& job, double share, const std::optional<LearnerWait>& wait);

/// The queue as a table, a row a job, which can be dragged to another place.
class QueueModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { kName, kSeed, kState, kColumns };
    enum Role { IdRole = Qt::UserRole, ShareRole, FailedRole };

    explicit QueueModel(RunQueue* queue, QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    Qt::DropActions supportedDropActions() const override { return Qt::MoveAction; }
    QStringList mimeTypes() const override;
    QMimeData* mimeData(const QModelIndexList& indexes) const override;
    bool dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
                      const QModelIndex& parent) override;
    std::int64_t idAt(int row) const { return ids_.value(row, 0); }
    /// Rows with the longest texts in the column of seeds: of the numbers, and of sweeps.
    QList<int> longestSeeds() const;
    int rowOf(std::int64_t id) const { return static_cast<int>(ids_.indexOf(id)); }

private:
    void refresh();

    RunQueue* const queue_;
    QList<std::int64_t> ids_;
};

}  // namespace palimpsest
