// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figures/feature_key.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/figures/feature_canvas.h"
#include "ui/style/text_style.h"
#include "ui/style/theme.h"

namespace palimpsest {
namespace {

constexpr int kKeyLine = 18, kKeySign = 26, kKeyGap = 5, kBetweenEntries = 16, kKeyName = 130;
constexpr double kKeyMarker = 3.6;

}  // namespace

FeatureKey::FeatureKey(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("featuresKey"));
    setAccessibleName(tr("Key of the feature map"));
    QSizePolicy policy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    fitToText(this, [this] { updateGeometry(); });
}

void FeatureKey::setShown(const FeatureShown& shown) {
    std::vector<Entry> entries;
    if (!shown.empty()) {
        // Every class, also those whose names have no room at their arrows.
        const auto there = [](const FeaturePicture::Place& place) { return std::isfinite(place[0]); };
        const auto& points = shown.picture->points[shown.moment];
        const auto& arrows = shown.picture->arrows[shown.moment];
        for (std::size_t k = 0; k < shown.map->classes.size(); ++k) {
            bool seen = k < arrows.size() && there(arrows[k]);
            for (std::size_t i = 0; i < points.size() && !seen; ++i)
                seen = shown.map->points[i].label == shown.map->classes[k] && there(points[i]);
            if (seen) entries.push_back({Sign::Class, shown.names.name(shown.map->classes[k]), k});
        }
        const FeatureChange& change = shown.picture->changes[shown.moment];
        if (shown.predictions) {
            entries.push_back({Sign::Right, tr("filled: taken for its class")});
            entries.push_back({Sign::Wrong, tr("hollow: for another")});
        }
        if (change.moved > 0) entries.push_back({Sign::Came, tr("ring: where it was when its class came")});
        if (change.arrows > 0) {
            entries.push_back({Sign::Arrow, tr("arrow: the head’s row of a class, farther along it scores higher")});
            if (change.most_turned > 0) entries.push_back({Sign::ArrowCame, tr("dashed: when the class came")});
        }
    }
    setVisible(!entries.empty());
    if (entries == entries_) return;
    entries_ = std::move(entries);
    QStringList words;
    for (const Entry& entry : entries_) words.append(entry.text);
    setAccessibleDescription(words.join(QStringLiteral("; ")));
    updateGeometry();
    update();
}

/// The name of a class may be as long as somebody liked.
QString FeatureKey::written(const Entry& entry, const QFontMetricsF& metrics) {
    return entry.sign == Sign::Class ? metrics.elidedText(entry.text, Qt::ElideRight, scaled(kKeyName)) : entry.text;
}

double FeatureKey::signWidth(const Entry& entry) const {
    return entry.sign == Sign::Class ? 2 * scaled(kKeyMarker) + 2 : scaled(kKeySign);
}

std::vector<QRectF> FeatureKey::places(int width) const {
    const QFontMetricsF metrics(textFont(font(), text_size::kCaption));
    std::vector<QRectF> found;
    double x = 0, y = 0;
    for (const Entry& entry : entries_) {
        const double wide =
            std::ceil(signWidth(entry) + kKeyGap + metrics.horizontalAdvance(written(entry, metrics))) + 1;
        if (x > 0 && x + wide > width) {
            x = 0;
            y += scaled(kKeyLine);
        }
        found.emplace_back(x, y, wide, scaled(kKeyLine));
        x += wide + kBetweenEntries;
    }
    return found;
}

int FeatureKey::heightForWidth(int width) const {
    const std::vector<QRectF> found = places(width);
    return found.empty() ? 0 : static_cast<int>(std::ceil(found.back().bottom()));
}

void FeatureKey::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::of(this);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(textFont(font(), text_size::kCaption));
    const std::vector<QRectF> found = places(width());
    const double radius = scaled(kKeyMarker);
    for (std::size_t i = 0; i < entries_.size(); ++i) {
        const QRectF sign(found[i].left(), found[i].top(), signWidth(entries_[i]), found[i].height());
        const QPointF middle = sign.center(), from(sign.left() + 1, middle.y()), to(sign.right() - 1, middle.y());
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme.text, theme.weight));
        switch (entries_[i].sign) {
            case Sign::Class:
                drawMarker(painter, featureMarker(entries_[i].place), middle, radius, QPen(Qt::NoPen),
                           featureColour(theme, entries_[i].place));
                break;
            case Sign::Right:
                painter.setBrush(theme.text);
                painter.drawEllipse(middle, radius, radius);
                break;
            case Sign::Wrong:
                painter.drawEllipse(middle, radius, radius);
                break;
            case Sign::Came: {
                QColor faint = theme.text;
                faint.setAlphaF(0.5F);
                painter.setPen(QPen(faint, theme.weight));
                const QPointF ring(sign.left() + radius + 1, middle.y()), now(sign.right() - radius - 1, middle.y());
                painter.drawEllipse(ring, radius, radius);
                painter.drawLine(ring + QPointF(radius, 0), now);
                painter.setPen(Qt::NoPen);
                painter.setBrush(theme.text);
                painter.drawEllipse(now, radius, radius);
                break;
            }
            case Sign::Arrow: {
                painter.setPen(QPen(theme.text, 2 * theme.weight, Qt::SolidLine, Qt::RoundCap));
                painter.drawLine(from, to);
                painter.drawLine(to, to + QPointF(-radius, -radius));
                painter.drawLine(to, to + QPointF(-radius, radius));
                break;
            }
            case Sign::ArrowCame:
                painter.setPen(QPen(theme.text, theme.weight, Qt::DashLine));
                painter.drawLine(from, to);
                break;
        }
        painter.setPen(theme.quiet);
        painter.drawText(found[i].adjusted(sign.width() + kKeyGap, 0, 1, 0), Qt::AlignLeft | Qt::AlignVCenter,
                         written(entries_[i], QFontMetricsF(painter.font())));
    }
}

}  // namespace palimpsest
