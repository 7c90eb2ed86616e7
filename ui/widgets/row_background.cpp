// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/row_background.h"

#include <QPainter>
#include <QStyleOptionViewItem>

#include "ui/style/theme.h"

namespace palimpsest {
namespace {

constexpr double kCorner = 6;

}  // namespace

void paintRowGround(QPainter& painter, const QRectF& row, const QStyleOptionViewItem& option) {
    const bool selected = option.state & QStyle::State_Selected;
    if (!selected && !(option.state & QStyle::State_MouseOver)) return;
    const Theme& theme = Theme::of(option.widget);
    QColor ground = selected ? theme.accent : theme.quiet;
    ground.setAlphaF(selected ? 0.16F : 0.07F);
    painter.setPen(Qt::NoPen);
    painter.setBrush(ground);
    painter.drawRoundedRect(row, kCorner, kCorner);
}

void paintRowFocus(QPainter& painter, const QRectF& row, const QStyleOptionViewItem& option) {
    if (!(option.state & QStyle::State_HasFocus) || !(option.state & QStyle::State_KeyboardFocusChange)) return;
    painter.setPen(QPen(Theme::of(option.widget).accent, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(row.adjusted(0.5, 0.5, -0.5, -0.5), kCorner, kCorner);
}

}  // namespace palimpsest
