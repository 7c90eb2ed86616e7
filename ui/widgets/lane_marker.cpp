// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/lane_marker.h"

#include <QPainter>
#include <QPixmap>
#include <QWidget>

#include "ui/style/curve_style.h"
#include "ui/style/theme.h"

namespace palimpsest {

QColor laneColour(const Theme& theme, std::size_t lane) {
    return lane == 0 ? theme.accent : runColour(theme, false, QColor(QLatin1String(kLaneColour)));
}

QIcon laneIcon(const QWidget* widget, std::size_t lane, int style) {
    const Theme& theme = Theme::of(widget);
    const double ratio = widget->devicePixelRatioF();
    QPixmap pixmap(QSize(kLaneIconWidth, kLaneIconHeight) * ratio);
    pixmap.setDevicePixelRatio(ratio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    QPen pen = runPen(theme, lane == 0, style, laneColour(theme, lane));
    // Dashes are as long as the line is wide; a wider one would show less than one of them.
    pen.setWidthF(lane == 0 ? 2.5 : 1.75);
    painter.setPen(pen);
    painter.drawLine(QPointF(2, kLaneIconHeight / 2.0), QPointF(kLaneIconWidth - 2, kLaneIconHeight / 2.0));
    painter.end();
    return QIcon(pixmap);
}

}  // namespace palimpsest
