// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/curve_style.h"

#include <QPainter>
#include <QPolygonF>
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <utility>

#include "ui/style/colours.h"
#include "ui/style/theme.h"

namespace palimpsest {
namespace {

/// Hues that a projector, or a person in the back row, may take for one another: violet and magenta, olive and brown,
/// crimson and brown, olive and teal.
constexpr std::pair<std::size_t, std::size_t> kNear[] = {{0, 5}, {1, 3}, {2, 3}, {1, 4}};

constexpr int kMarkers = 5, kDashes = 4;
static_assert(kCurveStyles == kMarkers * kDashes);

QVector<qreal> dashOf(int style) {
    static const std::array<QVector<qreal>, kDashes> dashes = {QVector<qreal>{4, 3}, QVector<qreal>{8, 3},
                                                               QVector<qreal>{1.5, 2.5}, QVector<qreal>{8, 3, 1.5, 3}};
    return dashes[static_cast<std::size_t>(style) % dashes.size()];
}

/// FNV-1a: the same in each start of the program, as qHash() need not be.
std::uint32_t nameHash(const std::string& name) {
    std::uint32_t hash = 2166136261U;
    for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
    return hash;
}

}  // namespace

MarkerShape markerOf(int style) {
    return static_cast<MarkerShape>(style % kMarkers);
}

int curveStyleFor(const QString& name, const std::vector<int>& taken) {
    const auto wanted = static_cast<int>(nameHash(name.toStdString()) % kCurveStyles);
    int best = wanted, least = std::numeric_limits<int>::max();
    for (int step = 0; step < kCurveStyles; ++step) {
        const int style = (wanted + step) % kCurveStyles;
        int shared = 0;
        for (const int other : taken)
            shared += (style % kMarkers == other % kMarkers) + (style % kDashes == other % kDashes) +
                      2 * (style == other % kCurveStyles);
        if (shared >= least) continue;
        best = style;
        least = shared;
    }
    return best;
}

QPainterPath markerPath(MarkerShape shape, double r) {
    QPainterPath path;
    switch (shape) {
        case MarkerShape::Circle:
            path.addEllipse(QPointF(0, 0), r, r);
            break;
        case MarkerShape::Square:
            path.addRect(QRectF(-0.9 * r, -0.9 * r, 1.8 * r, 1.8 * r));
            break;
        case MarkerShape::Triangle:
            path.addPolygon(QPolygonF({{0, -1.1 * r}, {1.05 * r, 0.8 * r}, {-1.05 * r, 0.8 * r}, {0, -1.1 * r}}));
            break;
        case MarkerShape::Diamond:
            path.addPolygon(QPolygonF({{0, -1.2 * r}, {1.2 * r, 0}, {0, 1.2 * r}, {-1.2 * r, 0}, {0, -1.2 * r}}));
            break;
        case MarkerShape::Cross:
            path.addPolygon(QPolygonF({{-r, -0.4 * r},
                                       {-0.4 * r, -0.4 * r},
                                       {-0.4 * r, -r},
                                       {0.4 * r, -r},
                                       {0.4 * r, -0.4 * r},
                                       {r, -0.4 * r},
                                       {r, 0.4 * r},
                                       {0.4 * r, 0.4 * r},
                                       {0.4 * r, r},
                                       {-0.4 * r, r},
                                       {-0.4 * r, 0.4 * r},
                                       {-r, 0.4 * r},
                                       {-r, -0.4 * r}}));
            break;
    }
    return path;
}

void drawMarker(QPainter& painter, MarkerShape shape, QPointF centre, double radius, const QPen& outline,
                const QBrush& fill) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(centre);
    painter.setPen(outline);
    painter.setBrush(fill);
    painter.drawPath(markerPath(shape, radius));
    painter.restore();
}

int runHueFor(const std::string& group, const std::array<int, kRunHues>& taken) {
    return runHueFor(static_cast<int>(nameHash(group) % kRunHues), taken);
}

int runHueFor(int preferred, const std::array<int, kRunHues>& taken) {
    std::array<int, kRunHues> cost{};
    for (std::size_t hue = 0; hue < cost.size(); ++hue)
        cost[hue] = taken[hue] * (static_cast<int>(std::size(kNear)) + 1);
    for (const auto& [a, b] : kNear) {
        cost[a] += taken[b];
        cost[b] += taken[a];
    }
    int best = preferred;
    for (int step = 1; step < kRunHues; ++step) {
        const int hue = (preferred + step) % kRunHues;
        if (cost[static_cast<std::size_t>(hue)] < cost[static_cast<std::size_t>(best)]) best = hue;
    }
    return best;
}

int hueLike(const QColor& colour) {
    int best = 0, least = 361;
    const Theme& theme = Theme::darkTheme();
    for (int hue = 0; hue < kRunHues; ++hue) {
        const int between = std::abs(theme.runs[static_cast<std::size_t>(hue)].hslHue() - colour.hslHue());
        if (std::min(between, 360 - between) >= least) continue;
        least = std::min(between, 360 - between);
        best = hue;
    }
    return best;
}

QColor runColour(const Theme& theme, int hue, const QColor& chosen) {
    // A projector washes colours out, so lines need the contrast of text.
    if (chosen.isValid()) return legible(chosen, theme.panel, theme.weight > 1 ? kWordContrast : kMarkContrast);
    return hue == kNoHue ? theme.quiet : theme.runs[static_cast<std::size_t>(hue) % theme.runs.size()];
}

QPen runPen(const Theme& theme, bool selected, int style, const QColor& colour) {
    QPen pen(colour, (selected ? 2.5 : 1.5) * theme.weight);
    pen.setJoinStyle(selected ? Qt::RoundJoin : Qt::BevelJoin);
    pen.setCapStyle(selected ? Qt::RoundCap : Qt::FlatCap);
    if (!selected) pen.setDashPattern(dashOf(style));
    return pen;
}

QPen thinBelow(const QPen& mean, const Theme& theme) {
    QColor faint = mean.color();
    faint.setAlphaF(0.55F);
    return QPen(faint, theme.weight);
}

QColor laneColour(const Theme& theme, std::size_t lane) {
    return runColour(theme, kNoHue, QColor(QLatin1String(kLaneColours.at(lane))));
}

QColor sessionColour(const Theme& theme, std::int64_t session) {
    return theme.series[static_cast<std::size_t>(session) % theme.series.size()];
}

QPen sessionPen(const Theme& theme, std::int64_t session) {
    QPen pen(sessionColour(theme, session), (session == 0 ? 3.5 : 1.75) * theme.weight);
    pen.setJoinStyle(Qt::RoundJoin);
    pen.setCapStyle(Qt::RoundCap);
    const auto round = session / static_cast<std::int64_t>(theme.series.size());
    if (round > 0) {
        pen.setCapStyle(Qt::FlatCap);
        pen.setDashPattern(dashOf(static_cast<int>(round) - 1));
    }
    return pen;
}

}  // namespace palimpsest
