// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/sparkline.h"

#include <QPainter>
#include <QPolygonF>
#include <algorithm>
#include <cmath>
#include <vector>

#include "ui/style/text_style.h"
#include "ui/style/theme.h"

namespace palimpsest {
namespace {

constexpr double kMeanWeight = 0.06;  // of a new value in the running mean
constexpr double kShownShare = 0.98;  // of the values, below the top of the picture
constexpr double kHeading = 20;
constexpr int kTallest = 150;
constexpr double kPitch = 1.5;  // pixels from one drawn value to the next
constexpr int kFullAfter = 60;  // values; before that the line grows from the left

}  // namespace

Sparkline::Sparkline(const QString& title, QWidget* parent) : QWidget(parent), title_(title) {
    setAccessibleName(title);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    fitToText(this, [this] { setMaximumHeight(scaled(kTallest)); });
}

void Sparkline::append(const std::vector<double>& values) {
    for (const double value : values) {
        if (!std::isfinite(value)) continue;
        const double mean = values_.empty() ? value : values_.back().mean + kMeanWeight * (value - values_.back().mean);
        values_.push_back({value, mean});
        if (values_.size() <= kHistory) continue;
        values_.pop_front();
        ++dropped_;
    }
    setAccessibleDescription(valueText());
    update();
}

void Sparkline::clear() {
    values_.clear();
    dropped_ = 0;
    setAccessibleDescription({});
    update();
}

QString Sparkline::valueText() const {
    return values_.empty() ? QString() : QString::number(values_.back().mean, 'f', 3);
}

QSize Sparkline::sizeHint() const {
    return {236, 84};
}

QSize Sparkline::minimumSizeHint() const {
    return {100, 52};
}

void Sparkline::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::of(this);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF heading(0, 0, width(), scaled(kHeading));
    painter.setPen(theme.text);
    painter.setFont(textFont(font(), text_size::kText, QFont::DemiBold));
    painter.drawText(heading, Qt::AlignLeft | Qt::AlignVCenter, title_);
    painter.drawText(heading, Qt::AlignRight | Qt::AlignVCenter, valueText());

    const QRectF area = QRectF(rect()).adjusted(1, scaled(kHeading) + 4, -4, -4);
    if (values_.empty()) {
        QPolygonF ghost;
        for (int i = 0; i <= 40; ++i)
            ghost.push_back(
                {area.left() + area.width() * i / 40,
                 area.top() + area.height() * (0.85 - 0.6 * std::exp(-i / 12.0) + 0.05 * std::sin(i * 1.7))});
        painter.setPen(QPen(theme.line, 1.5 * theme.weight));
        painter.drawPolyline(ghost);
        return;
    }
    // A lone spike would press the line flat, so it is cut off.
    std::vector<double> sorted;
    double high = values_.front().mean;
    for (const Sample& sample : values_) {
        sorted.push_back(sample.value);
        high = std::max(high, sample.mean);
    }
    std::sort(sorted.begin(), sorted.end());
    const double low = sorted.front();
    high = std::max(high, sorted[static_cast<std::size_t>(kShownShare * static_cast<double>(sorted.size() - 1))]);
    const double range = std::max(high - low, 1e-9);
    const auto heightOf = [&](double value) {
        return area.bottom() - (std::min(value, high) - low) / range * area.height();
    };
    const double step = area.width() / std::max<double>(kFullAfter, static_cast<double>(values_.size()) - 1);
    // Neighbours too close to distinguish are drawn as the one farthest from the mean. They keep together while the
    // line moves on, so that it does not flicker.
    const auto together = static_cast<std::size_t>(std::ceil(kPitch / step));
    const auto placeOf = [&](std::size_t i) { return area.left() + step * static_cast<double>(i); };
    const auto awayFromMean = [&](std::size_t i) { return std::abs(values_[i].value - values_[i].mean); };
    QPolygonF raw, mean;
    for (std::size_t i = 0; i < values_.size();) {
        std::size_t far = i;
        const std::size_t group = (dropped_ + i) / together;
        for (; i < values_.size() && (dropped_ + i) / together == group; ++i)
            if (awayFromMean(i) > awayFromMean(far)) far = i;
        raw.push_back({placeOf(far), heightOf(values_[far].value)});
        mean.push_back({placeOf(i - 1), heightOf(values_[i - 1].mean)});
    }
    QColor faint = theme.quiet;
    faint.setAlphaF(0.3F);
    painter.setPen(QPen(faint, theme.weight));
    painter.drawPolyline(raw);
    painter.setPen(QPen(theme.text, 1.75 * theme.weight));
    painter.drawPolyline(mean);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.text);
    painter.drawEllipse(mean.last(), 2.5 * theme.weight, 2.5 * theme.weight);
}

}  // namespace palimpsest
