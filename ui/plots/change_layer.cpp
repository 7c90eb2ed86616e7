// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/change_layer.h"

#include <algorithm>

#include "ui/style/text_style.h"

namespace palimpsest {
namespace {

constexpr int kRows = 2;          // of names; what fits into none gives way
constexpr double kChangePad = 3;  // pixels around a name
constexpr double kChangeGap = 4;  // between two names
constexpr double kBeside = 2;     // from a line to its name
constexpr double kRadius = 3;     // of a run's marker

}  // namespace

QRectF ChangeLayer::placeFor(double x, const QSizeF& size, const QRectF& area) const {
    // On the other side where the figure ends.
    const double left = x + kBeside + size.width() <= area.right() ? x + kBeside : x - kBeside - size.width();
    if (left < area.left()) return {};
    for (int row = 0; row < kRows; ++row) {
        const QRectF rect(QPointF(left, area.top() + 2 + row * (size.height() + 1)), size);
        const bool taken = std::any_of(rects_.begin(), rects_.end(), [&](const QRectF& other) {
            return !other.isEmpty() && other.adjusted(-kChangeGap, 0, kChangeGap, 0).intersects(rect);
        });
        if (!taken) return rect;
    }
    return {};
}

void ChangeLayer::draw(QCPPainter* painter) {
    rects_.assign(marks_.size(), QRectF());
    const QRectF area(mParentPlot->axisRect()->rect());
    const QFont font = textFont(base_, text_size::kCaption);
    const QFontMetricsF metrics(font);
    painter->setFont(font);
    for (std::size_t i = 0; i < marks_.size(); ++i) {
        const ChangeMark& mark = marks_[i];
        const double x = mParentPlot->xAxis->coordToPixel(mark.x);
        if (x < area.left() || x > area.right()) continue;
        QPen pen(mark.colour, weight_);
        pen.setDashPattern(mark.dash);
        painter->setPen(pen);
        painter->drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
        const bool named = !mark.run.isEmpty();
        const double radius = kRadius * weight_, sign = named ? 2 * radius + kChangePad : 0;
        if (named)
            drawMarker(*painter, mark.shape, QPointF(x, area.bottom() - 2 * radius), radius, QPen(ground_, weight_),
                       mark.colour);
        // The marker says whose it is where there is no room for more.
        QString name;
        for (const QString& each : {mark.caption(), mark.text}) {
            name = each;
            const QSizeF size(metrics.horizontalAdvance(name) + 2 * kChangePad + sign, metrics.height());
            rects_[i] = placeFor(x, size, area);
            if (!rects_[i].isEmpty()) break;
        }
        if (rects_[i].isEmpty()) continue;
        QColor ground = ground_;
        ground.setAlphaF(0.85F);
        painter->setPen(Qt::NoPen);
        painter->setBrush(ground);
        painter->drawRoundedRect(rects_[i], 3, 3);
        if (named)
            drawMarker(*painter, mark.shape, QPointF(rects_[i].left() + kChangePad + radius, rects_[i].center().y()),
                       radius, Qt::NoPen, mark.colour);
        painter->setPen(mark.colour);
        painter->drawText(rects_[i].adjusted(sign, 0, 0, 0), Qt::AlignCenter, name);
    }
}

}  // namespace palimpsest
