// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/pinned_table.h"

#include <QDrag>
#include <QHelpEvent>
#include <QMimeData>
#include <QMouseEvent>
#include <QPaintEvent>
#include <QPainter>
#include <QScrollBar>
#include <algorithm>
#include <cstdlib>
#include <utility>

#include "ui/style/theme.h"

namespace palimpsest {
namespace {

constexpr double kMostCover = 0.67;  // of the view

/// The event as it were, had the titles not been scrolled.
QMouseEvent moved(const QMouseEvent& event, int offset) {
    return QMouseEvent(event.type(), event.position() - QPointF(offset, 0), event.scenePosition(),
                       event.globalPosition(), event.button(), event.buttons(), event.modifiers(),
                       event.pointingDevice());
}

}  // namespace

PinnedHeader::PinnedHeader(int pinned, QWidget* parent) : QHeaderView(Qt::Horizontal, parent), pinned_(pinned) {
    setSectionsClickable(true);
    connect(this, &QHeaderView::sortIndicatorChanged, viewport(), qOverload<>(&QWidget::update));
}

int PinnedHeader::pinnedWidth() const {
    int width = 0;
    for (int column = 0; column < std::min(pinned_, count()); ++column) width += sectionSize(column);
    return width;
}

int PinnedHeader::cover() const {
    if (offset() <= 0 || isRightToLeft()) return 0;
    const int width = pinnedWidth();
    return width <= kMostCover * viewport()->width() ? width : 0;
}

bool PinnedHeader::covers(double x) const {
    const int width = cover();
    return width > 0 && x >= 0 && x < width + style()->pixelMetric(QStyle::PM_HeaderGripMargin, nullptr, this);
}

int PinnedHeader::gripAt(int x) const {
    const int grip = style()->pixelMetric(QStyle::PM_HeaderGripMargin, nullptr, this);
    int end = 0;
    for (int column = 0; column < std::min(pinned_, count()); ++column) {
        if (isSectionHidden(column)) continue;
        end += sectionSize(column);
        if (std::abs(x - end) < grip && sectionResizeMode(column) == Interactive) return column;
    }
    return -1;
}

bool PinnedHeader::viewportEvent(QEvent* event) {
    if (event->type() != QEvent::ToolTip || !covers(static_cast<QHelpEvent*>(event)->x()))
        return QHeaderView::viewportEvent(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    QHelpEvent there(help->type(), help->pos() - QPoint(offset(), 0), help->globalPos());
    const bool done = QHeaderView::viewportEvent(&there);
    event->setAccepted(there.isAccepted());
    return done;
}

void PinnedHeader::mousePressEvent(QMouseEvent* event) {
    held_ = event->button() == Qt::LeftButton && covers(event->position().x());
    if (!held_) return QHeaderView::mousePressEvent(event);
    const int x = event->position().toPoint().x();
    resized_ = gripAt(x);
    if (resized_ >= 0) {
        reach_ = x - sectionSize(resized_);
        return;
    }
    QMouseEvent there = moved(*event, offset());
    QHeaderView::mousePressEvent(&there);
    viewport()->update();
}

void PinnedHeader::mouseMoveEvent(QMouseEvent* event) {
    const int x = event->position().toPoint().x();
    if (held_ && resized_ >= 0) {
        resizeSection(resized_, std::clamp(x - reach_, minimumSectionSize(), maximumSectionSize()));
    } else if (held_) {
        QMouseEvent there = moved(*event, offset());
        QHeaderView::mouseMoveEvent(&there);
        viewport()->update();
    } else if (event->buttons() == Qt::NoButton && covers(x)) {
        // The header itself has no grip left of its first pixel.
        if (gripAt(x) >= 0)
            setCursor(Qt::SplitHCursor);
        else
            unsetCursor();
    } else {
        QHeaderView::mouseMoveEvent(event);
    }
}

void PinnedHeader::mouseReleaseEvent(QMouseEvent* event) {
    if (!held_ || event->button() != Qt::LeftButton) return QHeaderView::mouseReleaseEvent(event);
    held_ = false;
    if (std::exchange(resized_, -1) >= 0) return;
    QMouseEvent there = moved(*event, offset());
    QHeaderView::mouseReleaseEvent(&there);
    viewport()->update();
}

void PinnedHeader::mouseDoubleClickEvent(QMouseEvent* event) {
    if (!covers(event->position().x())) return QHeaderView::mouseDoubleClickEvent(event);
    QMouseEvent there = moved(*event, offset());
    QHeaderView::mouseDoubleClickEvent(&there);
}

void PinnedHeader::paintEvent(QPaintEvent* event) {
    QHeaderView::paintEvent(event);
    const int width = cover();
    if (width == 0) return;
    QPainter painter(viewport());
    painter.fillRect(0, 0, width, viewport()->height(), Theme::of(this).panel);
    for (int column = 0; column < std::min(pinned_, count()); ++column) {
        if (isSectionHidden(column)) continue;
        const int left = sectionViewportPosition(column) + offset();
        painter.save();
        paintSection(&painter, QRect(left, 0, sectionSize(column), viewport()->height()), column);
        painter.restore();
    }
    painter.fillRect(width - 1, 0, 1, viewport()->height(), Theme::of(this).line);
}

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
        // Columns that do not stay after all scroll like any other.
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
    // Pinned columns were moved along with the rest.
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

/// Draws cells as Qt's table does.
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
