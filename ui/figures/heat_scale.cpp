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

void HeatScale::setEnds(const QString& low, const QString& high, bool two_sided) {
    if (low == low_ && high == high_ && two_sided == two_sided_) return;
    low_ = low;
    high_ = high;
    two_sided_ = two_sided;
    setAccessibleName(tr("Colours: %1 to %2").arg(low, high));
    setToolTip(two_sided ? tr("Pink is %1, grey is 0, turquoise is %2; in between by the square root").arg(low, high)
                         : tr("Dark blue is %1, yellow is %2").arg(low, high));
    updateGeometry();
    update();
}

void HeatScale::setTitle(const QString& title) {
    title_ = title;
    setAccessibleDescription(title);
    updateGeometry();
    update();
}

int HeatScale::titleWidth(const QFontMetrics& metrics) const {
    return title_.isEmpty() ? 0 : metrics.horizontalAdvance(title_) + 2 * kGap;
}

QFont HeatScale::captionFont() const {
    return textFont(font(), text_size::kCaption);
}

QSize HeatScale::sizeHint() const {
    const QFontMetrics metrics(captionFont());
    return {
        titleWidth(metrics) + metrics.horizontalAdvance(low_) + metrics.horizontalAdvance(high_) + kBar + 2 * kGap + 2,
        metrics.height() + 2};
}

void HeatScale::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setFont(captionFont());
    painter.setPen(Theme::of(this).quiet);
    const int left = titleWidth(painter.fontMetrics());
    const int low = left + painter.fontMetrics().horizontalAdvance(low_);
    painter.drawText(rect(), Qt::AlignLeft | Qt::AlignVCenter, title_);
    painter.drawText(rect().adjusted(left, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, low_);
    painter.drawText(rect(), Qt::AlignRight | Qt::AlignVCenter, high_);
    const int top = (height() - kThick) / 2;
    for (int i = 0; i < kBar; ++i) {
        const double share = static_cast<double>(i) / (kBar - 1);
        painter.fillRect(low + kGap + i, top, 1, kThick,
                         QColor(two_sided_ ? twoSidedColour(2 * share - 1) : heatColour(share)));
    }
}

}  // namespace palimpsest
