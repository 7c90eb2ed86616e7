// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QRectF>
#include <QString>
#include <cstdint>
#include <vector>

class QPainter;

namespace palimpsest {

struct Theme;

/// The sessions below the picture of the stream: their numbers, and how many images each has; as bars where the numbers
/// would not fit.
struct SessionStrip {
    std::vector<std::int64_t> lengths;  ///< images by session
    QRectF place;                       ///< as wide as all columns together
    double gap = 0;                     ///< between two columns
    double titles = 0;                  ///< room on the left for what the lines are; too little: none
    int current = -1;

    static double height();
    void paint(QPainter& painter, const QFont& font, const Theme& theme) const;

private:
    double column() const { return place.width() / static_cast<double>(lengths.size()); }
    void paintNumbers(QPainter& painter, const QFont& font, const Theme& theme) const;
    void paintLengths(QPainter& painter, const QFont& font, const Theme& theme) const;
    void paintBars(QPainter& painter, const Theme& theme, const QRectF& line) const;
};

}  // namespace palimpsest
