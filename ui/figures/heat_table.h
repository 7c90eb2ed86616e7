// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

#include "ui/plots/figure_table.h"

namespace palimpsest {

struct HeatContent;

/// The numbers of a heat map: a row a moment, a column a row of the map.
class HeatTable : public FigureTable {
    Q_OBJECT
public:
    /// `text`: of a value on screen. `scale`: what a value is multiplied by in a file.
    HeatTable(std::function<QString(double)> text, double scale) : text_(std::move(text)), scale_(scale) {}
    /// Null: no numbers any more. `bring_up` is called before its numbers are read.
    void setContent(const HeatContent* content, std::function<void()> bring_up);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    void refresh() override;
    /// Plain numbers, full precision, a header line; shares in per cent.
    QString csv() const;

private:
    const HeatContent* content_ = nullptr;
    std::function<void()> bring_up_;
    const std::function<QString(double)> text_;
    const double scale_;
    int rows_ = 0, columns_ = 0;  ///< that the views know of
};

}  // namespace palimpsest
