// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/loss_table.h"

#include "ui/adaptation_log.h"
#include "ui/curve_store.h"
#include "ui/text_style.h"

namespace palimpsest {

int LossTable::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : rows_;
}

QVariant LossTable::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || !shown_) return {};
    if (role == Qt::TextAlignmentRole) return QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole) return {};
    const auto row = static_cast<std::size_t>(index.row());
    if (index.column() == 0) return countText(static_cast<qint64>(shown_->loss.x(row)));
    return index.column() == 1 ? countText(index.row() + 1) : lossText(shown_->loss.y(row));
}

QVariant LossTable::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation == Qt::Vertical || section < 0 || section >= columnCount()) return {};
    if (role == Qt::TextAlignmentRole) return QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole) return {};
    return section == 0 ? tr("Images seen") : section == 1 ? tr("Update") : tr("Loss");
}

void LossTable::refresh() {
    const RunCurves* run = store_->primary();
    const HistoryStore::History history = run ? histories_->find(run->id) : nullptr;
    const int rows = history ? static_cast<int>(history->loss.size()) : 0;
    if (history != shown_ || rows < rows_) {
        beginResetModel();
        shown_ = history;
        rows_ = rows;
        endResetModel();
    } else if (rows > rows_) {
        beginInsertRows({}, rows_, rows - 1);
        rows_ = rows;
        endInsertRows();
    }
}

QString LossTable::csv() const {
    QString text = QStringLiteral("run,samples_seen,update,loss\n");
    for (const RunCurves* run : store_->visibleRuns()) {
        const HistoryStore::History history = histories_->find(run->id);
        if (!history) continue;
        const QString label = csvQuoted(store_->label(run->id));
        for (std::size_t i = 0; i < history->loss.size(); ++i)
            text += label + ',' + QString::number(history->loss.x(i), 'f', 0) + ',' + QString::number(i + 1) + ',' +
                    QString::number(history->loss.y(i), 'g', 10) + '\n';
    }
    return text;
}

}  // namespace palimpsest
