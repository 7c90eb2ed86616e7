// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sparkline.h"

#include <QPainter>
#include <QPolygonF>
#include <algorithm>
#include <cmath>
#include <vector>

#include "ui/text_style.h"
#include "ui/theme.h"

namespace palimpsest {
namespace {

constexpr double kMeanWeight = 0.06;  // of a new value in the running mean
constexpr double kShownShare = 0.98;  // of the values, below the top of the picture
constexpr double kHeading = 20;
constexpr int kTallest = 150;
constexpr int kFullAfter = 60;  // values; before that the line grows from the left

}  // namespace

Sparkline::Sparkline(const QString& title, QWidget* parent) : QWidget(parent), title_(title) {
    setAccessibleName(title);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setMaximumHeight(kTallest);
}

void Sparkline::append(double value) {
    if (!std::isfinite(value)) return;
    const double mean = values_.empty() ? value : values_.back().mean + kMeanWeight * (value - values_.back().mean);
    values_.push_back({value, mean});
    if (values_.size() > kHistory) values_.pop_front();
    setAccessibleDescription(valueText());
    update();
}

void Sparkline::clear() {
    values_.clear();
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
    const QRectF heading(0, 0, width(), kHeading);
    painter.setPen(theme.text);
    painter.setFont(textFont(font(), text_size::kText, QFont::DemiBold));
    painter.drawText(heading, Qt::AlignLeft | Qt::AlignVCenter, title_);
    painter.drawText(heading, Qt::AlignRight | Qt::AlignVCenter, valueText());

    const QRectF area = QRectF(rect()).adjusted(1, kHeading + 4, -4, -4);
    if (values_.empty()) {
        QPolygonF ghost;
        for (int i = 0; i <= 40; ++i)
            ghost.push_back(
                {area.left() + area.width() * i / 40,
                 area.top() + area.height() * (0.85 - 0.6 * std::exp(-i / 12.0) + 0.05 * std::sin(i * 1.7))});
        painter.setPen(QPen(theme.line, 1.5));
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
    QPolygonF raw, mean;
    for (std::size_t i = 0; i < values_.size(); ++i) {
        const double x = area.left() + step * static_cast<double>(i);
        raw.push_back({x, heightOf(values_[i].value)});
        mean.push_back({x, heightOf(values_[i].mean)});
    }
    QColor faint = theme.quiet;
    faint.setAlphaF(0.3F);
    painter.setPen(QPen(faint, 1));
    painter.drawPolyline(raw);
    painter.setPen(QPen(theme.text, 1.75));
    painter.drawPolyline(mean);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.text);
    painter.drawEllipse(mean.last(), 2.5, 2.5);
}

}  // namespace palimpsest
