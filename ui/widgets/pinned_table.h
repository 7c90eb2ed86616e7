// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHeaderView>
#include <QTableView>

namespace palimpsest {

/// The titles of a table whose first columns stay in view while the others scroll below them. They are sorted by,
/// resized and explained there as anywhere else.
class PinnedHeader : public QHeaderView {
    Q_OBJECT
public:
    explicit PinnedHeader(int pinned, QWidget* parent = nullptr);

    bool isPinned(int column) const { return column >= 0 && column < pinned_; }
    /// Width of the pinned columns, without hidden ones.
    int pinnedWidth() const;
    /// Pixels of the view that they cover where they are not at their own place: 0 while nothing is scrolled, and where
    /// they would leave the others hardly any room.
    int cover() const;

protected:
    bool viewportEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    /// The point is on a pinned title, or on the grip at the end of the last of them.
    bool covers(double x) const;
    /// The column that a drag from here resizes; -1: none.
    int gripAt(int x) const;

    int pinned_;
    int resized_ = -1;   ///< the column that is being resized
    int reach_ = 0;      ///< from its width to the mouse
    bool held_ = false;  ///< the mouse was pressed on a title that stays
};

/// A table whose first columns stay in view: scrolled sideways, the others pass below them. It is one view, so that
/// selection, keys, menus, drags and screen readers know of no second one. Cells of the columns that stay
/// have no editors in their place, and no grid. Where it reads from right to left, nothing stays.
class PinnedTable : public QTableView {
    Q_OBJECT
public:
    explicit PinnedTable(int pinned, QWidget* parent = nullptr);

    /// Pixels of the view that the pinned columns cover; 0 while they are at their own place.
    int cover() const;
    QModelIndex indexAt(const QPoint& point) const override;
    QRect visualRect(const QModelIndex& index) const override;
    /// Scrolls into the room beside the pinned columns, which are in view already.
    void scrollTo(const QModelIndex& index, ScrollHint hint = EnsureVisible) override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;
    /// Scrolls the other columns back to their first one when the cursor returns to the pinned ones.
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
