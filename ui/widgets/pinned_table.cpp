// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/pinned_table.h"

#include <QDrag>
#include <QMimeData>
#include <QPaintEvent>
#include <QPainter>
#include <QScrollBar>
#include <cstdlib>

#include "ui/style/theme.h"
#include "ui/widgets/pinned_header.h"

namespace palimpsest {

PinnedTable::PinnedTable(int pinned, QWidget* parent) : QTableView(parent), titles_(new PinnedHeader(pinned, this)) {
    setHorizontalHeader(titles_);
    setHorizontalScrollMode(ScrollPerPixel);
}

int PinnedTable::cover() const {
    return titles_->cover();
}

QModelIndex PinnedTable::indexAt(const QPoint& point) const {
    const bool stays = point.x() >= 0 && point.x() < cover();
    return QTableView::indexAt(stays ? point - QPoint(titles_->offset(), 0) : point);
}

QRect PinnedTable::visualRect(const QModelIndex& index) const {
    const QRect rect = QTableView::visualRect(index);
    const bool stays = rect.isValid() && titles_->isPinned(index.column()) && cover() > 0;
    return stays ? rect.translated(titles_->offset(), 0) : rect;
}

void PinnedTable::scrollTo(const QModelIndex& index, ScrollHint hint) {
    QScrollBar* bar = horizontalScrollBar();
    const int before = bar->value();
    QTableView::scrollTo(index, hint);
    if (!index.isValid()) return;
    if (!titles_->isPinned(index.column())) {
        const int covered = cover() - columnViewportPosition(index.column());
        if (covered > 0) bar->setValue(bar->value() - covered);
    } else if (bar->value() != before) {
        bar->setValue(before);
        // Where they do not stay after all, they come as any other.
        if (cover() == 0) QTableView::scrollTo(index, hint);
    }
}

QModelIndex PinnedTable::moveCursor(CursorAction action, Qt::KeyboardModifiers modifiers) {
    const QModelIndex to = QTableView::moveCursor(action, modifiers);
    if ((action == MoveLeft || action == MoveHome || action == MovePrevious) && titles_->isPinned(to.column()))
        horizontalScrollBar()->setValue(horizontalScrollBar()->minimum());
    return to;
}

void PinnedTable::scrollContentsBy(int dx, int dy) {
    QTableView::scrollContentsBy(dx, dy);
    if (dx == 0) return;
    // What stays was moved along with the rest.
    const int width = titles_->pinnedWidth() + std::abs(dx);
    viewport()->update(0, 0, width, viewport()->height());
    titles_->viewport()->update(0, 0, width, titles_->viewport()->height());
    clipEditors();
}

void PinnedTable::dataChanged(const QModelIndex& first, const QModelIndex& last, const QList<int>& roles) {
    QTableView::dataChanged(first, last, roles);
    if (titles_->isPinned(first.column()) && cover() > 0) viewport()->update(0, 0, cover(), viewport()->height());
}

void PinnedTable::updateEditorGeometries() {
    QTableView::updateEditorGeometries();
    clipEditors();
}

void PinnedTable::clipEditors() {
    for (QWidget* editor : viewport()->findChildren<QWidget*>(Qt::FindDirectChildrenOnly)) {
        const int covered = cover() - editor->x();
        if (covered <= 0)
            editor->clearMask();
        else if (covered < editor->width())
            editor->setMask(editor->rect().adjusted(covered, 0, 0, 0));
        else
            editor->setMask(QRect(-1, -1, 1, 1));  // an empty one would be none
    }
}

void PinnedTable::startDrag(Qt::DropActions actions) {
    if (cover() == 0) return QTableView::startDrag(actions);
    // Qt draws each cell into the picture at its place, and below those that stay there are others.
    const QModelIndexList rows = selectionModel()->selectedRows();
    QMimeData* carried = rows.isEmpty() ? nullptr : model()->mimeData(rows);
    if (!carried) return;
    QRect shown;
    for (const QModelIndex& row : rows) shown |= visualRect(row);
    shown = QRect(0, shown.top(), viewport()->width(), shown.height()) & viewport()->rect();
    auto* drag = new QDrag(this);
    drag->setMimeData(carried);
    drag->setPixmap(viewport()->grab(shown));
    drag->setHotSpot(viewport()->mapFromGlobal(QCursor::pos()) - shown.topLeft());
    drag->exec(actions, Qt::CopyAction);
}

void PinnedTable::paintEvent(QPaintEvent* event) {
    QTableView::paintEvent(event);
    const int width = cover();
    const QRect place = QRect(0, 0, width, viewport()->height()) & event->rect();
    if (width == 0 || place.isEmpty() || !model()) return;
    QPainter painter(viewport());
    painter.fillRect(place, Theme::of(this).panel);
    QStyleOptionViewItem option;
    initViewItemOption(&option);
    const int first = verticalHeader()->visualIndexAt(place.top());
    for (int line = first; line >= 0 && line < verticalHeader()->count(); ++line) {
        const int row = verticalHeader()->logicalIndex(line);
        if (rowViewportPosition(row) > place.bottom()) break;
        if (isRowHidden(row)) continue;
        for (int column = 0; titles_->isPinned(column) && column < model()->columnCount(rootIndex()); ++column)
            if (!isColumnHidden(column)) paintCell(painter, option, model()->index(row, column, rootIndex()));
    }
    painter.fillRect(width - 1, 0, 1, viewport()->height(), Theme::of(this).line);
}

/// As Qt's table draws its cells.
void PinnedTable::paintCell(QPainter& painter, QStyleOptionViewItem option, const QModelIndex& index) {
    option.rect = visualRect(index);
    if (selectionModel()->isSelected(index)) option.state |= QStyle::State_Selected;
    if (viewport()->underMouse() && option.rect.contains(viewport()->mapFromGlobal(QCursor::pos())))
        option.state |= QStyle::State_MouseOver;
    if (index == currentIndex() && (hasFocus() || viewport()->hasFocus())) option.state |= QStyle::State_HasFocus;
    style()->drawPrimitive(QStyle::PE_PanelItemViewRow, &option, &painter, this);
    itemDelegateForIndex(index)->paint(&painter, option, index);
}

}  // namespace palimpsest
