// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/view_painting.h"

#include <QFont>
#include <QFontMetricsF>
#include <QPainter>
#include <QStringList>
#include <QStyleOptionViewItem>

#include "ui/state/key_names.h"
#include "ui/style/text_style.h"
#include "ui/style/theme.h"

namespace palimpsest {
namespace {

constexpr double kCorner = 6;

}  // namespace

void drawEmptyState(QPainter& painter, const QRectF& area, const QFont& base, const Theme& theme, const QString& text) {
    const QFont plain = textFont(base, text_size::kText);
    const QFont bold = textFont(base, text_size::kText, QFont::DemiBold);
    const QFontMetricsF plainMetrics(plain), boldMetrics(bold);
    const QStringList parts = KeyNames::instance().filled(text).split('|');
    constexpr double kKeyPad = 6;
    const auto isKey = [](qsizetype i) { return i % 2 == 1; };
    double width = 0;
    for (qsizetype i = 0; i < parts.size(); ++i)
        width +=
            isKey(i) ? boldMetrics.horizontalAdvance(parts[i]) + 2 * kKeyPad : plainMetrics.horizontalAdvance(parts[i]);
    const double height = plainMetrics.height() + 6;
    QRectF row(0, 0, width, height);
    row.moveCenter(area.center());

    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.panel);
    painter.drawRoundedRect(row.adjusted(-12, -4, 12, 4), 6, 6);
    double x = row.left();
    for (qsizetype i = 0; i < parts.size(); ++i) {
        const double advance =
            isKey(i) ? boldMetrics.horizontalAdvance(parts[i]) + 2 * kKeyPad : plainMetrics.horizontalAdvance(parts[i]);
        const QRectF cell(x, row.top(), advance, height);
        if (isKey(i)) {
            painter.setPen(QPen(theme.line, 1));
            painter.setBrush(theme.raised);
            painter.drawRoundedRect(cell.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
        }
        painter.setPen(isKey(i) ? theme.text : theme.quiet);
        painter.setFont(isKey(i) ? bold : plain);
        painter.drawText(cell, Qt::AlignCenter, parts[i]);
        x += advance;
    }
    painter.restore();
}

int edgeWidth(const Theme& theme) {
    return theme.weight > 1 ? 2 : 1;
}

void paintFocusRing(QPainter& painter, const QRectF& area, const Theme& theme, double corner) {
    const int width = edgeWidth(theme);
    const double inset = width / 2.0;
    painter.setPen(QPen(theme.accent, width));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(area.adjusted(inset, inset, -inset, -inset), corner, corner);
}

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
    paintFocusRing(painter, row, Theme::of(option.widget), kCorner);
}

}  // namespace palimpsest
