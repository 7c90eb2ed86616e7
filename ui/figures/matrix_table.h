// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plots/figure_table.h"
#include "ui/plots/matrix_content.h"

namespace palimpsest {

/// The numbers of a matrix.
class MatrixTable : public FigureTable {
    Q_OBJECT
public:
    using FigureTable::FigureTable;

    void setContent(const MatrixContent& content);
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    void refresh() override {}
    /// Plain numbers, full precision, a header line; shares in per cent.
    QString csv() const;

private:
    MatrixContent content_;
};

}  // namespace palimpsest
