// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stream/session_strip.h"

#include <QCoreApplication>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "ui/style/text_style.h"
#include "ui/style/theme.h"

namespace palimpsest {
namespace {

constexpr double kNumbers = 16, kLengths = 14;  // heights of the two lines
constexpr double kLeastTitles = 40;             // room that a title needs
constexpr double kAir = 4;                      // between two numbers

QString tr(const char* text) {
    return QCoreApplication::translate("SessionStrip", text);
}

}  // namespace

double SessionStrip::height() {
    return scaled(kNumbers) + scaled(kLengths);
}

void SessionStrip::paint(QPainter& painter, const QFont& font, const Theme& theme) const {
    if (lengths.empty()) return;
    paintNumbers(painter, font, theme);
    paintLengths(painter, font, theme);
    if (titles < scaled(kLeastTitles)) return;
    painter.setFont(textFont(font, text_size::kCaption));
    painter.setPen(theme.quiet);
    const QRectF title(place.left() - titles, place.top(), titles - 8, scaled(kNumbers));
    painter.drawText(title, Qt::AlignRight | Qt::AlignVCenter, tr("session"));
    painter.drawText(QRectF(title.left(), title.bottom(), title.width(), scaled(kLengths)),
                     Qt::AlignRight | Qt::AlignVCenter, tr("images"));
}

void SessionStrip::paintNumbers(QPainter& painter, const QFont& font, const Theme& theme) const {
    const QFontMetricsF metrics(textFont(font, text_size::kCaption));
    const int stride = std::max(1, static_cast<int>(std::ceil(metrics.horizontalAdvance("00000") / column())));
    const auto sessions = static_cast<int>(lengths.size());
    for (int session = 0; session < sessions; ++session) {
        const bool now = session == current;
        if (!now && session % stride != 0) continue;
        const QString number = QString::number(session + 1);
        const QFont type = textFont(font, text_size::kCaption, now ? QFont::DemiBold : QFont::Normal);
        painter.setFont(type);
        painter.setPen(now ? theme.text : theme.quiet);
        // The last one of many is wider than its column, and would be cut at the picture's end.
        const double centre = std::min(place.left() + (session + 0.5) * column() - gap / 2,
                                       place.right() - QFontMetricsF(type).horizontalAdvance(number) / 2);
        painter.drawText(QRectF(centre - scaled(20), place.top(), scaled(40), scaled(kNumbers)), Qt::AlignCenter,
                         number);
    }
}

void SessionStrip::paintLengths(QPainter& painter, const QFont& font, const Theme& theme) const {
    const QRectF line(place.left(), place.top() + scaled(kNumbers), place.width(), scaled(kLengths));
    const QFont caption = textFont(font, text_size::kCaption);
    const QFontMetricsF metrics(caption);
    // All as numbers or all as bars; where not even a digit would fit, nothing has to be measured.
    double widest = metrics.horizontalAdvance('0');
    for (const std::int64_t length : lengths) {
        if (widest + kAir > column()) return paintBars(painter, theme, line);
        widest = std::max(widest, metrics.horizontalAdvance(countText(length)));
    }
    if (widest + kAir > column()) return paintBars(painter, theme, line);
    painter.setFont(caption);
    for (std::size_t j = 0; j < lengths.size(); ++j) {
        painter.setPen(static_cast<int>(j) == current ? theme.text : theme.quiet);
        painter.drawText(
            QRectF(line.left() + static_cast<double>(j) * column(), line.top(), column() - gap, line.height()),
            Qt::AlignCenter, countText(lengths[j]));
    }
}

void SessionStrip::paintBars(QPainter& painter, const Theme& theme, const QRectF& line) const {
    const auto most = static_cast<double>(std::max<std::int64_t>(1, *std::max_element(lengths.begin(), lengths.end())));
    const double room = line.height() - 3;
    QPainterPath bars;
    for (std::size_t j = 0; j < lengths.size(); ++j) {
        // A session with few images still shows that it has some.
        const double share = static_cast<double>(lengths[j]) / most;
        const double height = lengths[j] > 0 ? std::max(1.0, share * room) : 0;
        bars.addRect(QRectF(line.left() + static_cast<double>(j) * column(), line.bottom() - 1 - height,
                            std::max(1.0, column() - gap), height));
    }
    bars.setFillRule(Qt::WindingFill);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.quiet);
    painter.drawPath(bars);
}

}  // namespace palimpsest
