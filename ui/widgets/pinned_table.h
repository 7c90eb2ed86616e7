// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTableView>

namespace palimpsest {

class PinnedHeader;

/// A table whose first columns stay in view: scrolled sideways, the others pass below them. It is one view, so that
/// selection, keys, menus, drags and what screen readers are told know of no second one. Cells of the columns that stay
/// have no editors in their place, and no grid. Where it reads from right to left, nothing stays.
class PinnedTable : public QTableView {
    Q_OBJECT
public:
    explicit PinnedTable(int pinned, QWidget* parent = nullptr);

    /// How much of the view the columns that stay cover; 0 while they are at their own place.
    int cover() const;
    QModelIndex indexAt(const QPoint& point) const override;
    QRect visualRect(const QModelIndex& index) const override;
    /// Into the room beside the columns that stay. These are in view already.
    void scrollTo(const QModelIndex& index, ScrollHint hint = EnsureVisible) override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;
    /// Back at the first columns, the others begin with their first, too.
    QModelIndex moveCursor(CursorAction action, Qt::KeyboardModifiers modifiers) override;
    void startDrag(Qt::DropActions actions) override;
    void dataChanged(const QModelIndex& first, const QModelIndex& last, const QList<int>& roles) override;
    void updateEditorGeometries() override;

private:
    void paintCell(QPainter& painter, QStyleOptionViewItem option, const QModelIndex& index);
    /// An editor passes below the columns that stay as its cell does.
    void clipEditors();

    PinnedHeader* titles_;
};

}  // namespace palimpsest
