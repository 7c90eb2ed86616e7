// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figures/heat_table.h"

#include <algorithm>
#include <cmath>

#include "ui/plots/heat_content.h"
#include "ui/style/text_style.h"

namespace palimpsest {

void HeatTable::setContent(const HeatContent* content, std::function<void()> bring_up) {
    content_ = content;
    bring_up_ = std::move(bring_up);
}

int HeatTable::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !content_ ? 0 : std::min(rows_, static_cast<int>(content_->xs.size()));
}

int HeatTable::columnCount(const QModelIndex& parent) const {
    return parent.isValid() || columns_ == 0 || !content_ ? 0 : columns_ + 1;
}

QVariant HeatTable::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    if (role == Qt::TextAlignmentRole) return QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole || index.row() >= rowCount()) return {};
    const auto moment = static_cast<std::size_t>(index.row());
    if (index.column() == 0) return countText(static_cast<qint64>(content_->xs[moment]));
    const float value = content_->at(moment, static_cast<std::size_t>(index.column() - 1));
    return std::isnan(value) ? QString() : text_(value);
}

QVariant HeatTable::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation == Qt::Vertical || section < 0 || section >= columnCount()) return {};
    if (role == Qt::TextAlignmentRole) return QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole) return {};
    return section == 0 ? tr("Images seen") : content_->rows.value(section - 1);
}

void HeatTable::refresh() {
    if (!content_) return;
    bring_up_();
    const int rows = static_cast<int>(content_->xs.size()), columns = static_cast<int>(content_->rows.size());
    if (columns != columns_ || rows < rows_) {
        beginResetModel();
        rows_ = rows;
        columns_ = columns;
        endResetModel();
    } else if (rows > rows_) {
        beginInsertRows({}, rows_, rows - 1);
        rows_ = rows;
        endInsertRows();
    }
}

QString HeatTable::csv() const {
    QString text = QStringLiteral("samples_seen");
    for (const QString& row : content_->rows) text += ',' + csvQuoted(row);
    text += '\n';
    for (std::size_t moment = 0; moment < content_->xs.size(); ++moment) {
        text += QString::number(content_->xs[moment], 'f', 0);
        for (int row = 0; row < content_->rows.size(); ++row) {
            const float value = content_->at(moment, static_cast<std::size_t>(row));
            text += ',' + (std::isnan(value) ? QString() : QString::number(value * scale_, 'g', 7));
        }
        text += '\n';
    }
    return text;
}

}  // namespace palimpsest
