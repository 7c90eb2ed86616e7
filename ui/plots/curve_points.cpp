// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/curve_points.h"

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>

namespace palimpsest {
namespace {

constexpr std::size_t kSamplesPerCurve = 400;
constexpr int kMarkerWeight = 4;  // a lone marker counts like so many points of a line

}  // namespace

std::vector<QPointF> curvePoints(const QCustomPlot& plot) {
    std::vector<QPointF> points;
    for (int i = 0; i < plot.graphCount(); ++i) {
        const QCPGraph* graph = plot.graph(i);
        const bool lone = graph->lineStyle() == QCPGraph::lsNone;
        if (lone && !graph->visible()) continue;
        const QCPRange sight = plot.xAxis->range();
        const auto begin = graph->data()->findBegin(sight.lower), end = graph->data()->findEnd(sight.upper);
        const auto count = static_cast<std::size_t>(std::max<qptrdiff>(0, end - begin));
        const std::size_t step = count / kSamplesPerCurve + 1;
        QPointF last;
        for (std::size_t k = 0; k < count; k += step) {
            const auto datum = begin + static_cast<qptrdiff>(k);
            const QPointF point(plot.xAxis->coordToPixel(datum->key), plot.yAxis->coordToPixel(datum->value));
            if (lone) {
                points.insert(points.end(), kMarkerWeight - 1, point);
            } else if (k > 0) {
                const int pieces = std::clamp(static_cast<int>(std::abs(point.x() - last.x()) / 4), 1, 200);
                for (int piece = 0; piece < pieces; ++piece) points.push_back(last + (point - last) * piece / pieces);
            }
            points.push_back(point);
            last = point;
        }
    }
    return points;
}

}  // namespace palimpsest
