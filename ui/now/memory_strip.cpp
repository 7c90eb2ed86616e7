// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/now/memory_strip.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/style/text_style.h"
#include "ui/widgets/picture_grid.h"
#include "ui/widgets/view_painting.h"

namespace palimpsest {
namespace {

constexpr int kHeading = 18;
constexpr int kStripGap = 4;
constexpr int kBars = 30;
constexpr int kLeastBars = 8;      // where the panel is too low for more
constexpr double kLeastPitch = 3;  // from one bar to the next
constexpr double kLeastStripBar = 1.5;

}  // namespace

MemoryStrip::MemoryStrip(QWidget* parent) : PartTips(parent) {
    setObjectName(QStringLiteral("memoryStrip"));
    setAccessibleName(tr("Memory"));
    setToolTip(tr("The past images that are kept, class by class. Click to see them."));
    setCursor(Qt::PointingHandCursor);
    setAttribute(Qt::WA_Hover);  // the number of places answers the mouse
    setFocusPolicy(Qt::TabFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Maximum);
    fitToText(this, [this] { updateGeometry(); });
    clear(0);
}

void MemoryStrip::setMemory(const ClassNames& words, const MemoryBalance& balance, std::int64_t capacity) {
    classes_ = words;
    bars_.clear();
    most_ = 0;
    for (std::size_t label = 0; label < balance.kept.size(); ++label) {
        if (!balance.kept[label]) continue;
        bars_.push_back({static_cast<int>(label), *balance.kept[label]});
        most_ = std::max(most_, *balance.kept[label]);
    }
    total_ = balance.total();
    places_ = placesText(balance, capacity);
    const QString classes = balanceText(words, balance);
    setAccessibleDescription(classes.isEmpty() ? places_ : tr("%1: %2").arg(places_, classes));
    update();
}

QSize MemoryStrip::sizeHint() const {
    return {236, scaled(kHeading) + kStripGap + kBars};
}

QSize MemoryStrip::minimumSizeHint() const {
    return {100, scaled(kHeading) + kStripGap + kLeastBars};
}

QRectF MemoryStrip::area() const {
    return QRectF(rect()).adjusted(0, scaled(kHeading) + kStripGap, 0, -1);
}

int MemoryStrip::barCount() const {
    const int room = std::max(1, static_cast<int>(area().width() / kLeastPitch));
    return std::min(static_cast<int>(bars_.size()), room);
}

const MemoryStrip::Bar& MemoryStrip::barOf(int place) const {
    const auto bars = static_cast<std::ptrdiff_t>(bars_.size());
    const auto first = [&](int at) { return bars_.begin() + at * bars / barCount(); };
    return *std::max_element(first(place), first(place + 1),
                             [](const Bar& a, const Bar& b) { return a.count < b.count; });
}

QString MemoryStrip::textAt(const QPoint& point) const {
    const QRectF all = area();
    if (bars_.empty() || !all.contains(point)) return {};
    const int place = std::min(barCount() - 1, static_cast<int>((point.x() - all.left()) * barCount() / all.width()));
    const Bar& bar = barOf(place);
    return tr("%1: %2").arg(classes_.text(bar.label), imagesText(bar.count));
}

void MemoryStrip::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::of(this);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF heading(0, 0, width(), scaled(kHeading));
    painter.setFont(textFont(font(), text_size::kText, QFont::DemiBold));
    painter.setPen(theme.text);
    painter.drawText(heading, Qt::AlignLeft | Qt::AlignVCenter, tr("Memory"));
    painter.setFont(textFont(font(), text_size::kCaption));
    painter.setPen(underMouse() || hasFocus() ? theme.text : theme.quiet);
    painter.drawText(heading, Qt::AlignRight | Qt::AlignVCenter, places_);

    const QRectF all = area();
    const int bars = barCount();
    const double pitch = all.width() / std::max(1, bars), gap = pitch > 6 ? 2 : (pitch > 4 ? 1 : 0);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.line);
    painter.drawRect(QRectF(all.left(), all.bottom() - 1, all.width(), 1));
    for (int i = 0; i < bars; ++i) {
        const Bar& bar = barOf(i);
        if (bar.count == 0) continue;
        const double share = static_cast<double>(bar.count) / static_cast<double>(most_);
        const double tall = std::max(kLeastStripBar, share * all.height());
        painter.setBrush(barColour(theme, classes_.kind(bar.label)));
        painter.drawRect(QRectF(all.left() + i * pitch, all.bottom() - tall, pitch - gap, tall));
    }
    if (total_ > 0 && bars > 1) {
        const double equal =
            static_cast<double>(total_) / static_cast<double>(bars_.size()) / static_cast<double>(most_);
        const double height = std::round(all.bottom() - equal * all.height()) + 0.5;
        QPen pen(theme.text, 1, Qt::DashLine);
        painter.setPen(pen);
        painter.setOpacity(0.6);
        painter.drawLine(QPointF(all.left(), height), QPointF(all.right(), height));
        painter.setOpacity(1);
    }
    if (hasFocus()) paintFocusRing(painter, rect(), theme, 3);
}

}  // namespace palimpsest
