// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/pinned_header.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
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
        // The header itself looks for no grip left of its first pixel.
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

}  // namespace palimpsest
