// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figures/loss_table.h"

#include <algorithm>

#include "ui/state/run_set.h"
#include "ui/style/text_style.h"

namespace palimpsest {

int LossTable::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : rows_;
}

int LossTable::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : seeds_.histories.empty() ? 3 : 5;
}

QVariant LossTable::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || !shown_) return {};
    if (role == Qt::TextAlignmentRole) return QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole) return {};
    const auto row = static_cast<std::size_t>(index.row());
    if (index.column() == 0) return countText(static_cast<qint64>(shown_->loss.x(row)));
    if (index.column() == 1) return countText(index.row() + 1);
    if (index.column() == 2) return lossText(shown_->loss.y(row));
    if (row >= seeds_.size()) return QString();  // the shortest run does not get there
    const Spread mean = seeds_.at(row);
    return lossText(index.column() == 3 ? mean.mean : halfWidth(mean, bandWidth(listed_)));
}

QVariant LossTable::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation == Qt::Vertical || section < 0 || section >= columnCount()) return {};
    if (role == Qt::TextAlignmentRole) return QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole) return {};
    if (section == 3) return tr("Mean of N = %1").arg(seeds_.histories.size());
    if (section == 4)
        return bandWidth(listed_) == BandWidth::Error ? tr("± standard error of the mean") : tr("± standard deviation");
    return section == 0 ? tr("Images seen") : section == 1 ? tr("Update") : tr("Loss");
}

void LossTable::refresh() {
    const ShownRun* run = store_->selected();
    const HistoryStore::History history = run ? histories_->find(run->id) : nullptr;
    const int rows = history ? static_cast<int>(history->loss.size()) : 0;
    SeedLosses seeds;
    if (history && band_ != CurveOptions::Band::None)
        for (LossGroup& group : lossGroups(*store_, *histories_))
            if (std::ranges::find(group.group.runs, run) != group.group.runs.end()) seeds = std::move(group.losses);
    const std::size_t averaged = seeds.size();
    if (history != shown_ || rows < rows_ || seeds.histories != seeds_.histories || band_ != listed_) {
        beginResetModel();
        seeds_ = std::move(seeds);
        listed_ = band_;
        shown_ = history;
        rows_ = rows;
        averaged_ = averaged;
        endResetModel();
        return;
    }
    if (rows > rows_) {
        beginInsertRows({}, rows_, rows - 1);
        rows_ = rows;
        endInsertRows();
    }
    // Updates that were listed before the slowest seed had made them.
    if (averaged > averaged_)
        Q_EMIT dataChanged(index(static_cast<int>(averaged_), 3), index(static_cast<int>(averaged) - 1, 4));
    averaged_ = averaged;
}

QString LossTable::csv() const {
    QString text = QStringLiteral("run,samples_seen,update,loss\n");
    for (const ShownRun* run : store_->visibleRuns()) {
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
