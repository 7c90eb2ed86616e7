// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

class QComboBox;

namespace palimpsest {

/// The open list of a box whose choices belong to families: a family is a small, quiet heading that cannot be chosen,
/// its choices stand indented below it, and the one in force has a tick.
class FamilyListDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    explicit FamilyListDelegate(QComboBox* box);

    /// Appends a heading to the box.
    static void addFamily(QComboBox* box, const QString& family);
    static bool isFamily(const QModelIndex& index);

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    QComboBox* box_;
};

}  // namespace palimpsest
