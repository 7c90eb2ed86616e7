// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/words_after_numbers.h"

#include <QAbstractItemModel>
#include <QApplication>
#include <QStyle>
#include <QWidget>

namespace palimpsest {
namespace {

constexpr int kDistance = 8;  // as in window.qss

}  // namespace

void WordsAfterNumbers::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    QStyleOptionViewItem cell(option);
    if (index.column() == index.model()->columnCount(index.parent()) - 1) {
        // The selection has no gap.
        const QStyle* style = option.widget ? option.widget->style() : QApplication::style();
        style->drawPrimitive(QStyle::PE_PanelItemViewItem, &option, painter, option.widget);
        cell.rect.setLeft(cell.rect.left() + kDistance);
    }
    QStyledItemDelegate::paint(painter, cell, index);
}

}  // namespace palimpsest
