// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/label_layout.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace palimpsest {
namespace {

constexpr double kGap = 9;           // between the end of a curve and its name
constexpr double kBetween = 2;       // between two names
constexpr double kStep = 6;          // of the search up and down
constexpr int kSteps = 40;           // each way
constexpr double kHiddenCost = 5;    // of one covered curve point, in pixels of distance
constexpr double kChangeCost = 12;   // of leaving the former place

/// Choices 0 .. 2 kSteps: right of the anchor; the rest: ending at the anchor, above or below.
QRectF candidate(const LabelWish& wish, int choice, const QRectF& area) {
    const bool beside = choice <= 2 * kSteps;
    const int index = beside ? choice : choice - (2 * kSteps + 1);
    const double offset = kStep * (index % 2 ? (index + 1) / 2 : -(index / 2));
    QRectF rect(QPointF(0, 0), wish.size);
    if (beside) {
        rect.moveLeft(wish.anchor.x() + kGap);
        rect.moveTop(wish.anchor.y() - wish.size.height() / 2 + offset);
    } else {
        rect.moveRight(std::min(wish.anchor.x() + wish.size.width() / 3, area.right()));
        if (offset <= 0)
            rect.moveBottom(wish.anchor.y() - kGap + offset);
        else
            rect.moveTop(wish.anchor.y() + kGap + offset - kStep);
    }
    return rect;
}

}  // namespace

std::vector<LabelPlace> placeLabels(const std::vector<LabelWish>& wishes, const QRectF& area,
                                    const std::vector<QPointF>& curvePoints) {
    std::vector<LabelPlace> places(wishes.size());
    std::vector<QRectF> taken;
    for (std::size_t i = 0; i < wishes.size(); ++i) {
        const LabelWish& wish = wishes[i];
        double best = std::numeric_limits<double>::max();
        for (int choice = 0; choice < 2 * (2 * kSteps + 1); ++choice) {
            const QRectF rect = candidate(wish, choice, area);
            if (!area.contains(rect))
                continue;
            const QRectF wide = rect.adjusted(-kBetween, -kBetween, kBetween, kBetween);
            if (std::any_of(taken.begin(), taken.end(), [&](const QRectF& other) { return wide.intersects(other); }))
                continue;
            const QPointF away = rect.center() - wish.anchor;
            double cost = std::abs(away.y()) + (choice > 2 * kSteps ? kGap : 0);
            if (wish.previous >= 0 && choice != wish.previous)
                cost += kChangeCost;
            if (cost >= best)
                continue;
            for (const QPointF& point : curvePoints)
                if (wide.contains(point))
                    cost += kHiddenCost;
            if (cost < best) {
                best = cost;
                places[i] = {rect, choice};
            }
        }
        if (!places[i].rect.isEmpty())
            taken.push_back(places[i].rect);
    }
    return places;
}

}  // namespace palimpsest
