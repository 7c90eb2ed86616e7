// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/now/push_bars.h"

#include <QLocale>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <functional>

#include "ui/style/colours.h"
#include "ui/style/text_style.h"
#include "ui/style/theme.h"

namespace palimpsest {
namespace {

constexpr double kLeastPitch = 9, kWidestBar = 22;
constexpr int kTallestBars = 108;
constexpr double kHardly = 0.05;  // a push that is written as 0.1 is one

struct PushText {
    Q_DECLARE_TR_FUNCTIONS(palimpsest::PushText)
};

QString amount(double push) {
    return QLocale().toString(std::abs(push), 'f', 1);
}

/// "T-shirt and Sandal", "T-shirt, Sandal and Dress", "T-shirt, Sandal and 3 others". In one go: a class may be called
/// "%2".
QString listed(const QStringList& names) {
    if (names.size() == 2) return PushText::tr("%1 and %2").arg(names[0], names[1]);
    if (names.size() == 3) return PushText::tr("%1, %2 and %3").arg(names[0], names[1], names[2]);
    return PushText::tr("%1, %2 and %3 others").arg(names[0], names[1], QString::number(names.size() - 2));
}

/// Colour of a push: that of the page of pushes, as strong as a mark has to be.
QColor pushColour(const Theme& theme, bool up) {
    return legible(QColor(twoSidedColour(up ? 0.7 : -0.7)), theme.panel, kMarkContrast);
}

}  // namespace

PushBars::PushBars(QWidget* parent) : TipWidget(parent) {
    setObjectName(QStringLiteral("pushBars"));
    setAccessibleName(tr("Push on each class"));
    setToolTip(
        tr("What this batch does to the score of each class: up it is pulled, down it is pushed. Faint: all of "
           "it since the class was learned last. A dot: the mask hides the class."));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    fitToText(this, [this] { setMaximumHeight(scaled(kTallestBars)); });
}

void PushBars::setPushes(const ClassNames& classes, const std::vector<ClassPush>& pushes) {
    if (pushes == pushes_ && classes == classes_) return;
    classes_ = classes;
    pushes_ = pushes;
    setAccessibleDescription(pushSentence(classes, pushes));
    choose();
}

void PushBars::resizeEvent(QResizeEvent* event) {
    choose();
    TipWidget::resizeEvent(event);
}

/// Hidden classes go first, then those that are pushed least.
void PushBars::choose() {
    shown_ = pushes_;
    const auto room = static_cast<std::size_t>(std::max(1.0, width() / scaled(kLeastPitch)));
    if (shown_.size() > room) std::erase_if(shown_, [](const ClassPush& push) { return !push.push; });
    if (shown_.size() > room) {
        const auto strength = [](const ClassPush& push) { return std::abs(*push.push); };
        std::vector<ClassPush> sorted = shown_;
        std::ranges::nth_element(sorted, sorted.begin() + static_cast<std::ptrdiff_t>(room) - 1, std::greater<>(),
                                 strength);
        const double least = strength(sorted[room - 1]);
        std::erase_if(shown_, [&](const ClassPush& push) { return strength(push) < least; });
        shown_.resize(std::min(shown_.size(), room));
    }
    Q_EMIT chosen(shown_.size(), pushes_.size());
    update();
}

QString PushBars::textOf(const ClassPush& push) const {
    const QString name = classes_.name(push.label);
    QString text = !push.push                       ? tr("%1: hidden by the mask, so nothing pushes it").arg(name)
                   : std::abs(*push.push) < kHardly ? tr("%1: hardly pushed").arg(name)
                   : *push.push > 0                 ? tr("%1: pulled up by %2").arg(name, amount(*push.push))
                                                    : tr("%1: pushed down by %2").arg(name, amount(*push.push));
    // A class that was learned in between is pulled up and then pushed down again.
    if (push.since <= -kHardly) text += tr("\nSince the last image of it: pushed down by %1").arg(amount(push.since));
    return text;
}

QString PushBars::textAt(const QPoint& point) const {
    if (shown_.empty() || point.x() < 0 || point.x() >= width()) return {};
    const auto place = static_cast<std::size_t>(point.x()) * shown_.size() / static_cast<std::size_t>(width());
    return textOf(shown_[std::min(place, shown_.size() - 1)]);
}

void PushBars::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::of(this);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    double up = 0, down = 0;  // the longest bars, as square roots
    const auto length = [](double push) { return std::sqrt(std::abs(push)); };
    for (const ClassPush& push : shown_)
        for (const double value : {push.push.value_or(0), push.since}) {
            double& most = value > 0 ? up : down;
            most = std::max(most, length(value));
        }
    const double margin = 3, room = height() - 2 * margin, sum = up + down;
    // Each direction keeps some room, so that the line stays where the eye expects it.
    const double above = sum > 0 ? std::clamp(up / sum, 0.25, 0.75) * room : room / 2;
    const double unit = std::min(up > 0 ? above / up : room, down > 0 ? (room - above) / down : room);
    const double line = margin + above;
    const double pitch = static_cast<double>(width()) / static_cast<double>(std::max<std::size_t>(1, shown_.size()));
    const double wide = std::min(scaled(kWidestBar), pitch * 0.72), narrow = std::max(2.0, wide * 0.6);
    for (std::size_t i = 0; i < shown_.size(); ++i) {
        const ClassPush& push = shown_[i];
        const double middle = (static_cast<double>(i) + 0.5) * pitch;
        const auto bar = [&](double value, double width, const QColor& fill) {
            const double tall = std::max(1.5, length(value) * unit);
            painter.setPen(Qt::NoPen);
            painter.setBrush(fill);
            painter.drawRect(QRectF(middle - width / 2, value > 0 ? line - tall : line, width, tall));
        };
        QColor faint = theme.quiet;
        faint.setAlphaF(0.35F);
        if (push.since != 0) bar(push.since, wide, faint);
        if (push.push && *push.push != 0) bar(*push.push, narrow, pushColour(theme, *push.push > 0));
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(QPen(theme.quiet, theme.weight));
    painter.drawLine(QPointF(0, line), QPointF(width(), line));
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.text);
    const double dot = std::min(scaled(2.5), pitch / 3);
    for (std::size_t i = 0; i < shown_.size(); ++i)
        if (!shown_[i].push) painter.drawEllipse(QPointF((static_cast<double>(i) + 0.5) * pitch, line), dot, dot);
}

QString pushSentence(const ClassNames& classes, const std::vector<ClassPush>& pushes) {
    if (pushes.empty()) return {};
    QStringList up, down;
    const ClassPush* most = nullptr;
    int hidden = 0;
    for (const ClassPush& push : pushes) {
        hidden += !push.push;
        if (push.push.value_or(0) >= kHardly) up.append(classes.name(push.label));
        if (push.push.value_or(0) > -kHardly) continue;
        down.append(classes.name(push.label));
        if (!most || *push.push < *most->push) most = &push;
    }
    QString text = up.isEmpty()     ? PushText::tr("Nothing is pulled up.")
                   : up.size() == 1 ? PushText::tr("%1 is pulled up.").arg(up.front())
                                    : PushText::tr("%1 are pulled up.").arg(listed(up));
    if (down.size() == 1)
        text += ' ' + PushText::tr("%1 is pushed down by %2.").arg(down.front(), amount(*most->push));
    else if (most)
        text += ' ' + PushText::tr("%1 are pushed down, %2 most: by %3.")
                          .arg(down.size())
                          .arg(classes.name(most->label), amount(*most->push));
    if (hidden == 1)
        text += ' ' + PushText::tr("The mask hides one class: nothing pushes it.");
    else if (hidden > 0)
        text += ' ' + PushText::tr("The mask hides %1 classes: nothing pushes them.").arg(hidden);
    return text;
}

}  // namespace palimpsest
