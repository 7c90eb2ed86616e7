// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/empty_state.h"

#include <QFont>
#include <QFontMetricsF>
#include <QPainter>
#include <QStringList>

#include "ui/state/key_names.h"
#include "ui/style/text_style.h"
#include "ui/style/theme.h"

namespace palimpsest {

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

}  // namespace palimpsest
