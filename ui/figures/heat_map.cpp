// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figures/heat_map.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "ui/style/heat_colours.h"

namespace palimpsest {

float HeatContent::at(std::size_t moment, std::size_t row) const {
    const std::vector<float>& values_then = values[moment];
    return row < values_then.size() ? values_then[row] : std::numeric_limits<float>::quiet_NaN();
}

std::size_t HeatContent::momentAt(double x) const {
    const auto after = static_cast<std::size_t>(std::lower_bound(xs.begin(), xs.end(), x) - xs.begin());
    if (after == xs.size()) return after - 1;
    return after > 0 && x - xs[after - 1] <= xs[after] - x ? after - 1 : after;
}

QCPRange HeatMap::getKeyRange(bool& found, QCP::SignDomain) const {
    found = !content_.xs.empty();
    return found ? QCPRange(content_.xs.front(), content_.xs.back()) : QCPRange();
}

QCPRange HeatMap::getValueRange(bool& found, QCP::SignDomain, const QCPRange&) const {
    found = !content_.rows.isEmpty();
    return {0, static_cast<double>(content_.rows.size())};
}

void HeatMap::draw(QCPPainter* painter) {
    const auto rows = static_cast<std::size_t>(content_.rows.size());
    const QRect area = mKeyAxis->axisRect()->rect();
    if (content_.xs.empty() || rows == 0 || area.isEmpty()) return;
    const double ratio = painter->device()->devicePixelRatioF();
    const int width = static_cast<int>(std::ceil(area.width() * ratio));
    const int height = static_cast<int>(std::ceil(area.height() * ratio));
    // As far as measured: from the first moment back half a step, and to the last.
    const std::vector<double>& xs = content_.xs;
    const double half = xs.size() > 1 ? (xs[1] - xs[0]) / 2 : xs[0] / 2;
    const double first = mKeyAxis->coordToPixel(std::max(mKeyAxis->range().lower, xs.front() - half));
    const double last = mKeyAxis->coordToPixel(xs.back());
    std::vector<int> moments(static_cast<std::size_t>(width), -1);
    for (int x = 0; x < width; ++x) {
        const double pixel = area.left() + (x + 0.5) / ratio;
        if (pixel >= first && pixel <= std::max(last, first + 2))
            moments[static_cast<std::size_t>(x)] = static_cast<int>(content_.momentAt(mKeyAxis->pixelToCoord(pixel)));
    }
    QImage image(width, height, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    std::size_t before = rows;
    for (int y = 0; y < height; ++y) {
        const double value = mValueAxis->pixelToCoord(area.top() + (y + 0.5) / ratio);
        if (value < 0 || value >= static_cast<double>(rows)) continue;
        const auto row = static_cast<std::size_t>(value);
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(y));
        if (row == before) {
            std::memcpy(line, image.constScanLine(y - 1), static_cast<std::size_t>(width) * sizeof(QRgb));
            continue;
        }
        before = row;
        for (int x = 0; x < width; ++x) {
            const int moment = moments[static_cast<std::size_t>(x)];
            if (moment < 0) continue;
            const float share = content_.at(static_cast<std::size_t>(moment), row);
            if (!std::isnan(share)) line[x] = heatColour(share / content_.top);
        }
    }
    image.setDevicePixelRatio(ratio);
    painter->drawImage(area.topLeft(), image);
}

}  // namespace palimpsest
