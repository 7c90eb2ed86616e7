// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/now/mask_stamps.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/style/theme.h"

namespace palimpsest {

QBrush maskGround(const Theme& theme, MaskState state) {
    QColor ground = theme.accent;
    if (state == MaskState::Open)
        ground.setAlphaF(0.22F);
    else if (state != MaskState::Visible)
        return Qt::NoBrush;
    return ground;
}

void MaskStamps::prepare(const Theme& theme, double side, double ratio) {
    if (theme_ == &theme && side_ == side && stamps_.front().devicePixelRatio() == ratio) return;
    theme_ = &theme;
    side_ = side;
    for (const MaskState state : {MaskState::NotSeen, MaskState::Hidden, MaskState::Open, MaskState::Visible}) {
        QPixmap& stamp = stamps_[static_cast<std::size_t>(state)];
        const int pixels = std::max(1, static_cast<int>(std::ceil(side * ratio)));
        stamp = QPixmap(pixels, pixels);
        stamp.setDevicePixelRatio(ratio);
        stamp.fill(Qt::transparent);
        QPainter painter(&stamp);
        painter.setRenderHint(QPainter::Antialiasing);
        QPen outline(state == MaskState::Visible || state == MaskState::Open ? theme.accent : theme.quiet,
                     theme.weight);
        if (state == MaskState::NotSeen || state == MaskState::Open) outline.setDashPattern({1, 3});
        painter.setPen(outline);
        painter.setBrush(maskGround(theme, state));
        painter.drawRoundedRect(QRectF(0.5, 0.5, side - 1, side - 1), side / 4, side / 4);
    }
}

}  // namespace palimpsest
