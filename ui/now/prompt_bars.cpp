// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/now/prompt_bars.h"

#include <QPainter>
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "ui/style/text_style.h"
#include "ui/style/theme.h"

namespace palimpsest {
namespace {

constexpr double kNumberHeight = 16;
constexpr double kLeastNumberRoom = 16;
constexpr double kLeastBar = 2;
constexpr int kTallest = 108;
constexpr std::array<double, 10> kGhost = {0.3, 0.2, 0.9, 0.45, 0.15, 0.1, 0.55, 0.2, 0.12, 0.25};

}  // namespace

PromptBars::PromptBars(QWidget* parent) : TipWidget(parent) {
    setObjectName(QStringLiteral("promptBars"));
    setAccessibleName(tr("Prompts selected"));
    setToolTip(tr("How often each prompt of the pool was selected so far"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    fitToText(this, [this] { setMaximumHeight(scaled(kTallest)); });
}

void PromptBars::setUse(const std::vector<std::int64_t>& times) {
    if (times == times_) return;
    times_ = times;
    most_ = times_.empty() ? 0 : *std::max_element(times_.begin(), times_.end());
    total_ = std::accumulate(times_.begin(), times_.end(), std::int64_t{0});
    const auto first = std::max_element(times_.begin(), times_.end());
    setAccessibleDescription(total_ == 0 ? QString() : tr("Most: ") + textOf(static_cast<int>(first - times_.begin())));
    update();
}

QString PromptBars::textOf(int prompt) const {
    const std::int64_t times = times_[static_cast<std::size_t>(prompt)];
    return tr("prompt %1, selected %2 times, %3 %")
        .arg(prompt + 1)
        .arg(countText(times), percentText(total_ > 0 ? static_cast<double>(times) / static_cast<double>(total_) : 0));
}

QRectF PromptBars::barRect(int prompt) const {
    const double count = std::max(1.0, static_cast<double>(times_.empty() ? kGhost.size() : times_.size()));
    const double pitch = width() / count, gap = std::min(5.0, pitch * 0.2);
    const double share =
        times_.empty() ? kGhost[static_cast<std::size_t>(prompt)]
        : most_ > 0    ? static_cast<double>(times_[static_cast<std::size_t>(prompt)]) / static_cast<double>(most_)
                       : 0;
    const double room = height() - scaled(kNumberHeight);
    const double tall = std::max(kLeastBar, share * room);
    return {prompt * pitch + gap / 2, room - tall, pitch - gap, tall};
}

QString PromptBars::textAt(const QPoint& point) const {
    const int prompt = count() > 0 ? point.x() * count() / std::max(1, width()) : -1;
    return prompt >= 0 && prompt < count() ? textOf(prompt) : QString();
}

void PromptBars::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::of(this);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(textFont(font(), text_size::kCaption));
    const bool empty = times_.empty();
    const int bars = empty ? static_cast<int>(kGhost.size()) : count();
    const double pitch = static_cast<double>(width()) / std::max(1, bars);
    const int every = std::max(1, static_cast<int>(std::ceil(scaled(kLeastNumberRoom) / pitch)));
    for (int i = 0; i < bars; ++i) {
        const QRectF bar = barRect(i);
        QColor fill = empty ? theme.line : theme.accent;
        const bool first = !empty && most_ > 0 && times_[static_cast<std::size_t>(i)] == most_;
        if (!empty && !first) fill.setAlphaF(0.55F);
        painter.setPen(Qt::NoPen);
        painter.setBrush(fill);
        painter.drawRoundedRect(bar, std::min(2.0, bar.width() / 3), std::min(2.0, bar.height() / 2));
        if (i % every != 0 || empty) continue;
        painter.setPen(first ? theme.text : theme.quiet);
        painter.drawText(
            QRectF(i * pitch - 8, height() - scaled(kNumberHeight) + 2, pitch + 16, scaled(kNumberHeight) - 2),
            Qt::AlignCenter, QString::number(i + 1));
    }
}

}  // namespace palimpsest
