// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <QStyledItemDelegate>

namespace palimpsest {

/// A combo box that shortens what is too long for it, as labels are shortened, instead of cutting it at its arrow.
class ChoiceBox : public QComboBox {
    Q_OBJECT
public:
    using QComboBox::QComboBox;

protected:
    void paintEvent(QPaintEvent* event) override;
};

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
