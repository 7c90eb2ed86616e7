// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointF>
#include <QRectF>
#include <QSizeF>
#include <vector>

namespace palimpsest {

/// Curves that end nearer than this, in pixels, share a column of names.
inline constexpr double kSameEnd = 20;

/// A name that wants to stand at the end of its curve; pixels.
struct LabelWish {
    QPointF anchor;
    QSizeF size;
    int previous = -1;  ///< `choice` of the last layout, so that a label stays where it is while that is good enough
};

struct LabelPlace {
    QRectF rect;  ///< empty: there was no room, the label gives way
    int choice = -1;
    bool covers = false;  ///< a curve runs behind it
};

/// Points that stand alone.
struct LabelMarks {
    std::vector<QPointF> places;
    double radius = 4;  ///< of each, in pixels
};

/// Places labels, the most important first, inside `area`, so that none touches another.
/// Labels of curves that end at about the same x stand in a column beside the ends, in the order of the ends, as near
/// to them as they can all be. Any other label stands to the right of its anchor where that fits, else above or below
/// it, moved up or down until it touches no other and hides few of `curvePoints`. None touches what is `taken`. A
/// column that would hide one of `marks` is given up: its labels then stand each by itself, clear of the marks if they
/// can.
std::vector<LabelPlace> placeLabels(const std::vector<LabelWish>& wishes, const QRectF& area,
                                    const std::vector<QPointF>& curvePoints, const std::vector<QRectF>& taken = {},
                                    const LabelMarks& marks = {});

/// Tops of boxes of one height, in ascending order of `wanted`, at least `height` apart, between `low` and `high`, with
/// the least sum of squared distances from `wanted` (pool adjacent violators). `wanted` ascends.
std::vector<double> spreadApart(const std::vector<double>& wanted, double height, double low, double high);

}  // namespace palimpsest
