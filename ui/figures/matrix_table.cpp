// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figures/matrix_table.h"

#include <cmath>

#include "ui/style/text_style.h"

namespace palimpsest {

void MatrixTable::setContent(const MatrixContent& content) {
    if (content == content_) return;
    const bool same = content.rows == content_.rows && content.columns == content_.columns;
    if (!same) beginResetModel();
    content_ = content;
    if (!same)
        endResetModel();
    else if (!content_.empty())
        Q_EMIT dataChanged(index(0, 1), index(rowCount() - 1, columnCount() - 1));
}

int MatrixTable::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(content_.rows.size());
}

int MatrixTable::columnCount(const QModelIndex& parent) const {
    return parent.isValid() || content_.empty() ? 0 : static_cast<int>(content_.columns.size()) + 1;
}

QVariant MatrixTable::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    if (role == Qt::TextAlignmentRole) return QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole) return {};
    if (index.column() == 0) return content_.rows[index.row()];
    const double share = content_.share(index.row(), index.column() - 1);
    return std::isnan(share) ? QString() : percentText(share) + QStringLiteral(" %");
}

QVariant MatrixTable::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation == Qt::Vertical || section < 0 || section >= columnCount()) return {};
    if (role == Qt::TextAlignmentRole) return QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole) return {};
    return section == 0 ? content_.row_title : content_.columns[section - 1];
}

QString MatrixTable::csv() const {
    QString text = csvQuoted(content_.row_title);
    for (const QString& column : content_.columns) text += ',' + csvQuoted(column);
    text += '\n';
    for (int row = 0; row < content_.rows.size(); ++row) {
        text += csvQuoted(content_.rows[row]);
        for (int column = 0; column < content_.columns.size(); ++column) {
            const double share = content_.share(row, column);
            text += ',' + (std::isnan(share) ? QString() : QString::number(share * 100, 'g', 10));
        }
        text += '\n';
    }
    return text;
}

}  // namespace palimpsest
