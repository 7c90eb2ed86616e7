// SPDX-License-Identifier: GPL-3.0-or-later
// Lines that are drawn column by column.
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/plots/curve_graph.h"
#include "ui/plots/dense_lines.h"

namespace palimpsest {
namespace {

constexpr double kPartsOfColumn = 2;  // at least so many blocks fall into a column
constexpr double kFewInColumn = 6;    // points, which are drawn one by one

/// From data to pixels from the lower or left end of an axis, without asking it for each point.
class Scale {
public:
    explicit Scale(const QCPAxis& axis)
        : log_(axis.scaleType() == QCPAxis::stLogarithmic),
          begin_(axis.coordToPixel(axis.range().lower)),
          from_(place(axis.range().lower)),
          factor_((axis.coordToPixel(axis.range().upper) - begin_) / (place(axis.range().upper) - from_)) {}
    double operator()(double value) const { return begin_ + (place(value) - from_) * factor_; }

private:
    double place(double value) const { return log_ ? std::log(std::max(value, 1e-300)) : value; }
    bool log_;
    double begin_, from_, factor_;
};

}  // namespace

void CurveGraph::posts(const QCPRange& sight, double columns,
                       const std::function<void(double x, const Extremes& values)>& take) const {
    const auto begin = data()->findBegin(sight.lower), end = data()->findEnd(sight.upper);
    const auto first = data()->constBegin();
    if (end <= begin) return;
    const MinMaxPyramid& known = pyramid();
    for (const Stretch& part :
         stretches(static_cast<std::size_t>(begin - first), static_cast<std::size_t>(end - first), columns)) {
        const double crowd = static_cast<double>(part.to - part.from) / part.columns;
        const std::size_t level = known.levelFor(crowd / kPartsOfColumn);
        if (level < known.levels() || crowd < kFewInColumn) {
            blocks(level, part, [&](const MinMaxPyramid::Block& block, std::size_t) { take(block.x, block.values); });
            continue;
        }
        // Too few for blocks, yet many: as many as fall into a column at a time.
        const auto each = static_cast<std::size_t>(crowd / kPartsOfColumn);
        for (std::size_t i = part.from; i < part.to;) {
            Extremes values;
            const double x = (first + static_cast<int>(i))->key;
            for (const std::size_t to = std::min(part.to, (i / each + 1) * each); i < to; ++i)
                values.take((first + static_cast<int>(i))->value);
            take(x, values);
        }
    }
}

void CurveGraph::blocks(std::size_t level, const Stretch& part,
                        const std::function<void(const MinMaxPyramid::Block& block, std::size_t count)>& take) const {
    const auto first = data()->constBegin();
    const auto point = [&](std::size_t i) {
        const QCPGraphData& datum = *(first + static_cast<int>(i));
        return std::pair(datum.key, datum.value);
    };
    pyramid().pieces(level, part.from, part.to, point, take);
}

/// On a logarithmic axis points lie the closer the farther right.
std::vector<CurveGraph::Stretch> CurveGraph::stretches(std::size_t from, std::size_t to, double columns) const {
    if (keyAxis()->scaleType() != QCPAxis::stLogarithmic) return {{from, to, columns}};
    const QCPRange sight = keyAxis()->range();
    const auto first = data()->constBegin();
    const double octave = columns / std::log2(sight.upper / sight.lower);
    std::vector<Stretch> parts;
    while (from < to) {
        const double x = std::max((first + static_cast<int>(from))->key, sight.lower);
        const auto next = data()->findBegin(2 * x, false) - first;
        const std::size_t end = std::clamp(static_cast<std::size_t>(next), from + 1, to);
        parts.push_back({from, end, std::max(1.0, octave)});
        from = end;
    }
    return parts;
}

void CurveGraph::trace(CrowdRaster& raster, const QRect& part, double resolution) const {
    const Scale x(*keyAxis()), y(*valueAxis());
    posts(keyAxis()->range(), keyAxis()->axisRect()->width() * resolution, [&](double place, const Extremes& values) {
        if (values.empty())
            raster.interrupt();
        else
            raster.lineTo((x(place) - part.left()) * resolution, (y(values.high) - part.top()) * resolution,
                          (y(values.low) - part.top()) * resolution);
    });
}

/// Whether so many points go up and down that a stroke a pixel column shows the same as a path, whose filling takes the
/// longer the more often it does.
bool CurveGraph::byColumns(const QCPPainter& painter, const QVector<QPointF>& lines) const {
    return plain() && !painter.modes().testFlag(QCPPainter::pmVectorized) &&
           lines.size() > keyAxis()->axisRect()->width();
}

bool CurveGraph::plainlyFilled() const {
    return brush().style() == Qt::SolidPattern && !channelFillGraph() && valueAxis()->scaleType() == QCPAxis::stLinear;
}

void CurveGraph::drawColumns(QCPPainter* painter) const {
    const QRect part = clipRect();
    const double resolution = paintedPixels(*painter);
    const QSize pixels = (QSizeF(part.size()) * resolution).toSize();
    CrowdRaster raster(pixels.width(), pixels.height(), pen().widthF() * resolution);
    trace(raster, part, resolution);
    if (plainlyFilled()) raster.fillTo((valueAxis()->coordToPixel(0) - part.top()) * resolution, brush().color());
    raster.finish(pen().color());
    painter->drawImage(QRectF(part), raster.image());
}

/// By columns it comes with the line.
void CurveGraph::drawFill(QCPPainter* painter, QVector<QPointF>* lines) const {
    if (!plainlyFilled() || !byColumns(*painter, *lines)) QCPGraph::drawFill(painter, lines);
}

}  // namespace palimpsest
