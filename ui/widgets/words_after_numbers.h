// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace palimpsest {

/// Cells of a list whose last column holds words: they keep a distance from the numbers that end where they begin. The
/// view has the property "wordsLast", which gives its last heading the same distance.
class WordsAfterNumbers : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

}  // namespace palimpsest
