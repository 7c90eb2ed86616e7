// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QStyledItemDelegate>
#include <vector>

#include "engine/run/mask_lens.h"
#include "ui/state/class_names.h"

namespace palimpsest {

/// Name of a mask in the lens: "Batch mask".
QString lensMaskName(MaskKind mask);

/// Pushes of the next batch: a row for each class, those of the batch first, then one for the outputs that no class has
/// taken yet, then the other classes, the one first that is pushed down most without a mask. A column for each mask
/// stands behind that of the names; headers carry loss and accuracy, and say which mask is the run's.
class MaskLensModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Role {
        PushRole = Qt::UserRole,  ///< double; invalid: the mask hides the class
        KindRole,                 ///< ClassKind of the row's class, as int
        InBatchRole,              ///< bool
        UsedRole,                 ///< bool: the column is the run's mask
    };
    using QAbstractTableModel::QAbstractTableModel;

    /// `keepScale`: the scale holds what was shown before, too, so that bars of two batches can be compared.
    void setLens(const ClassNames& classes, const MaskLens& lens, bool keepScale);
    void clear();
    const MaskLens& lens() const { return lens_; }
    /// Strongest pushes up and down in any view, and in what the scale was kept for, both 0 or more: one scale for all
    /// columns.
    double up() const { return up_; }
    double down() const { return down_; }
    /// Unit and scale of the pushes, in a sentence or two; empty without a lens.
    QString scaleText() const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    /// Push of a row through the view; absent: hidden.
    std::optional<double> pushAt(int row, std::size_t view) const;
    std::int64_t placeOf(int row) const { return order_[static_cast<std::size_t>(row)]; }
    bool isUnnamed(int row) const { return placeOf(row) == kUnnamed; }
    /// Class of a row that has one.
    int labelOf(int row) const { return lens_.views.front().pushes[static_cast<std::size_t>(placeOf(row))].label; }
    bool inBatch(int row) const { return row < in_batch_; }
    QString nameOf(int row) const;
    QString told(int row, std::size_t view) const;

    ClassNames classes_;
    MaskLens lens_;
    static constexpr std::int64_t kUnnamed = -1;
    std::vector<std::int64_t> order_;  ///< places among the pushes of a view, by row, or kUnnamed
    int in_batch_ = 0;                 ///< so many of these, the first, are of the batch
    double up_ = 0, down_ = 0;
};

/// Draws a push as a bar, to the right where the class is pulled up and to the left where it is pushed down, and its
/// amount behind it. All columns have the same scale.
class MaskLensDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    explicit MaskLensDelegate(const MaskLensModel* model, QObject* parent = nullptr)
        : QStyledItemDelegate(parent), model_(model) {}
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    /// The bar of a push in a cell, for one that is not hidden.
    QRectF barRect(const QRectF& cell, double push) const;

private:
    const MaskLensModel* model_;
};

}  // namespace palimpsest
