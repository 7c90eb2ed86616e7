// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figures/heat_scale.h"

#include <QPainter>

#include "ui/style/colours.h"
#include "ui/style/text_style.h"
#include "ui/style/theme.h"

namespace palimpsest {
namespace {

constexpr int kBar = 90, kThick = 8, kGap = 6;

}  // namespace

HeatScale::HeatScale(const QString& name, QWidget* parent) : QWidget(parent) {
    setObjectName(name);
    fitToText(this, [this] { updateGeometry(); });
}

void HeatScale::setEnd(const QString& text) {
    if (text == end_) return;
    end_ = text;
    setAccessibleName(tr("Colours: 0 to %1").arg(text));
    setToolTip(tr("Dark blue is 0, yellow is %1").arg(text));
    updateGeometry();
    update();
}

QFont HeatScale::captionFont() const {
    return textFont(font(), text_size::kCaption);
}

QSize HeatScale::sizeHint() const {
    const QFontMetrics metrics(captionFont());
    return {metrics.horizontalAdvance("0") + metrics.horizontalAdvance(end_) + kBar + 2 * kGap + 2,
            metrics.height() + 2};
}

void HeatScale::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setFont(captionFont());
    painter.setPen(Theme::of(this).quiet);
    const int zero = painter.fontMetrics().horizontalAdvance("0");
    painter.drawText(rect(), Qt::AlignLeft | Qt::AlignVCenter, "0");
    painter.drawText(rect(), Qt::AlignRight | Qt::AlignVCenter, end_);
    const int top = (height() - kThick) / 2;
    for (int i = 0; i < kBar; ++i)
        painter.fillRect(zero + kGap + i, top, 1, kThick, QColor(heatColour(static_cast<double>(i) / (kBar - 1))));
}

}  // namespace palimpsest
