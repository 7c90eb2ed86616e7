// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/legend_swatch.h"

#include <QPainter>

#include "ui/style/theme.h"

namespace palimpsest {

LegendSwatch::LegendSwatch(Hue hue, QWidget* parent) : QWidget(parent), hue_(hue) {
    setFixedSize(9, 9);
}

void LegendSwatch::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(hue_ == Disjoint ? Theme::of(this).disjoint : Theme::of(this).blurry);
    painter.drawRoundedRect(rect(), 2, 2);
}

}  // namespace palimpsest
