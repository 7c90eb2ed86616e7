// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointF>
#include <QRectF>
#include <QSizeF>
#include <vector>

namespace palimpsest {

/// A name that wants to stand at the end of its curve; pixels.
struct LabelWish {
    QPointF anchor;
    QSizeF size;
    int previous = -1;   ///< `choice` of the last layout, so that a label stays where it is while that is good enough
};

struct LabelPlace {
    QRectF rect;         ///< empty: there was no room, the label gives way
    int choice = -1;
};

/// Places labels one after another, the most important first: to the right of the anchor where that fits, else above or
/// below it, moved up or down until it touches no other label, and where it hides few of `curvePoints`. All stay inside
/// `area`.
std::vector<LabelPlace> placeLabels(const std::vector<LabelWish>& wishes, const QRectF& area,
                                    const std::vector<QPointF>& curvePoints);

}  // namespace palimpsest
