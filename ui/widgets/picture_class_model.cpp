// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/picture_class_model.h"

#include <algorithm>

#include "ui/style/text_style.h"
#include "ui/widgets/shown_pictures.h"

namespace palimpsest {

void PictureClassModel::setMemory(const ClassNames& words, const MemoryBalance& balance) {
    std::vector<Row> rows{{kAll, balance.total()}};
    most_ = 0;
    for (std::size_t label = 0; label < balance.kept.size(); ++label) {
        if (!balance.kept[label]) continue;
        rows.push_back({static_cast<int>(label), *balance.kept[label]});
        most_ = std::max(most_, *balance.kept[label]);
    }
    const bool grown =
        rows_.size() > 1 && words == words_ && std::ranges::includes(rows, rows_, {}, &Row::label, &Row::label);
    if (!grown) {
        beginResetModel();
        words_ = words;
        rows_ = std::move(rows);
        endResetModel();
        return;
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (i < rows_.size() && rows_[i].label == rows[i].label) continue;
        const int row = static_cast<int>(i);
        beginInsertRows({}, row, row);
        rows_.insert(rows_.begin() + row, rows[i]);
        endInsertRows();
    }
    rows_ = std::move(rows);
    Q_EMIT dataChanged(index(0), index(static_cast<int>(rows_.size()) - 1));
}

int PictureClassModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

QModelIndex PictureClassModel::indexOf(int label) const {
    const auto found = std::ranges::find(rows_, label, &Row::label);
    return index(found == rows_.end() ? 0 : static_cast<int>(found - rows_.begin()));
}

QString PictureClassModel::tip(const Row& row) const {
    const QString count = imagesText(row.count);
    if (row.label == kAll) return tr("All classes: %1").arg(count);
    const double share =
        static_cast<double>(row.count) / static_cast<double>(std::max<std::int64_t>(1, rows_[0].count));
    return tr("%1: %2, %3 % of those kept").arg(words_.text(row.label), count, percentText(share));
}

QVariant PictureClassModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) return {};
    const Row& row = rows_[static_cast<std::size_t>(index.row())];
    switch (role) {
        case Qt::DisplayRole:
            return row.label == kAll ? tr("All classes") : words_.name(row.label);
        case Qt::ToolTipRole:
        case Qt::AccessibleTextRole:
            return tip(row);
        case LabelRole:
            return row.label;
        case CountRole:
            return static_cast<qlonglong>(row.count);
        case ShareRole:
            if (row.label == kAll) return {};
            return most_ > 0 ? static_cast<double>(row.count) / static_cast<double>(most_) : 0.0;
        case KindRole:
            return static_cast<int>(words_.kind(row.label));
        default:
            return {};
    }
}

}  // namespace palimpsest
