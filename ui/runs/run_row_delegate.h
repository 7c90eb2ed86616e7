// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace palimpsest {

/// Draws the rows of the run table: the marker of a run as in the plots (hollow while it is hidden) instead of a tick
/// box, the selected run on a tinted ground with its name in bold, and numbers that are not final in quiet ink.
class RunRowDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    /// Fills the editor once, so that typed text survives updates of the run.
    void setEditorData(QWidget* editor, const QModelIndex& index) const override;
    bool editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option,
                     const QModelIndex& index) override;
};

}  // namespace palimpsest
