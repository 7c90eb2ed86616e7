// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/curve_graph.h"

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/plots/dense_lines.h"

namespace palimpsest {
namespace {

constexpr double kSolidBucket = 1.5, kThinBucket = 3;  // pixels
constexpr int kPiece = 24;                             // points
constexpr int kOverhang = 8;                           // pixels; half of the largest marker
constexpr double kPartsOfBucket = 4;                   // at least so many blocks fall into one

quint64 nextEdition() {
    static quint64 last = 0;
    return ++last;
}

/// The points of one bucket.
struct Bucket {
    double key = 0;  ///< its number
    double low_x = 0, high_x = 0, keys = 0, sum = 0;
    Extremes values;
    std::size_t count = 0;

    void add(const MinMaxPyramid::Block& block, std::size_t points) {
        if (block.values.low < values.low) low_x = block.x;
        if (block.values.high > values.high) high_x = block.x;
        values.add(block.values);
        keys += block.x * static_cast<double>(points);
        sum += block.sum;
        count += points;
    }
    void finish(bool solid, QVector<QCPGraphData>& line) const {
        if (count == 0 || values.empty()) return;
        const QCPGraphData low(low_x, values.low), high(high_x, values.high);
        if (!solid) {
            line.append({keys / static_cast<double>(count), sum / static_cast<double>(count)});
        } else if (values.low == values.high) {
            line.append(low);
        } else {
            line.append(low_x <= high_x ? low : high);
            line.append(low_x <= high_x ? high : low);
        }
    }
};

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

constexpr std::size_t kSamplesPerCurve = 400;
constexpr int kMarkerWeight = 4;  // a lone marker counts like so many points of a line

}  // namespace

CurveGraph::CurveGraph(QCPAxis* keyAxis, QCPAxis* valueAxis) : QCPGraph(keyAxis, valueAxis), edition_(nextEdition()) {}

const MinMaxPyramid& CurveGraph::pyramid() const {
    const auto count = static_cast<std::size_t>(data()->size());
    if (pyramid_.size() > count) pyramid_.clear();
    for (auto at = data()->constBegin() + static_cast<int>(pyramid_.size()); at != data()->constEnd(); ++at)
        pyramid_.add(at->key, at->value);
    return pyramid_;
}

bool CurveGraph::plain() const {
    if (crowded_ || pen().style() == Qt::SolidLine) return true;
    if (!peaked_) return false;
    const QCPRange sight = keyAxis()->range();
    return static_cast<double>(data()->findEnd(sight.upper) - data()->findBegin(sight.lower)) >
           keyAxis()->axisRect()->width() / kThinBucket;
}

void CurveGraph::replace(const QVector<QCPGraphData>& points) {
    pyramid_.clear();
    edition_ = nextEdition();
    data()->set(points, true);
}

Extremes CurveGraph::extremes(double from, double to) const {
    const auto begin = data()->findBegin(from, false), end = data()->findEnd(to, false);
    const auto first = data()->constBegin();
    if (end <= begin) return {};
    return pyramid().over(static_cast<std::size_t>(begin - first), static_cast<std::size_t>(end - first),
                          [&](std::size_t i) { return (first + static_cast<int>(i))->value; });
}

void CurveGraph::draw(QCPPainter* painter) {
    if (crowded_ && !painter->modes().testFlag(QCPPainter::pmVectorized)) return;
    QCPGraph::draw(painter);
}

QRect CurveGraph::clipRect() const {
    QRect rect = QCPGraph::clipRect().adjusted(0, -kOverhang, 0, kOverhang);
    if (data()->isEmpty()) return rect;
    const QCPRange sight = keyAxis()->range();
    if (sight.lower <= data()->constBegin()->key) rect.setLeft(rect.left() - kOverhang);
    if (sight.upper >= (data()->constEnd() - 1)->key) rect.setRight(rect.right() + kOverhang);
    return rect;
}

void CurveGraph::getOptimizedLineData(QVector<QCPGraphData>* lineData,
                                      const QCPGraphDataContainer::const_iterator& begin,
                                      const QCPGraphDataContainer::const_iterator& end) const {
    const QCPAxis* axis = keyAxis();
    if (!lineData || !axis || begin == end) return;
    const bool solid = plain();
    const QCPRange sight = axis->range();
    // Margins may leave no width at all.
    const double buckets = std::max(1.0, axis->axisRect()->width() / (solid ? kSolidBucket : kThinBucket));
    const double points = static_cast<double>(end - begin);
    if (points <= buckets * (solid ? 2 : 1)) {
        lineData->resize(static_cast<int>(end - begin));
        std::copy(begin, end, lineData->begin());
        return;
    }
    // Buckets stand still while the figure moves, so that a curve does not flicker.
    const bool log = axis->scaleType() == QCPAxis::stLogarithmic;
    const double width = log ? std::log(sight.upper / sight.lower) / buckets : sight.size() / buckets;
    const auto bucketOf = [&](double key) { return std::floor((log ? std::log(std::max(key, 1e-300)) : key) / width); };
    const auto first = data()->constBegin();
    const MinMaxPyramid& known = pyramid();
    Bucket bucket;
    bucket.key = bucketOf(begin->key);
    for (const Stretch& part :
         stretches(static_cast<std::size_t>(begin - first), static_cast<std::size_t>(end - first), buckets))
        blocks(known.levelFor(static_cast<double>(part.to - part.from) / part.columns / kPartsOfBucket), part,
               [&](const MinMaxPyramid::Block& block, std::size_t count) {
                   const double key = bucketOf(block.x);
                   if (key != bucket.key) {
                       bucket.finish(solid, *lineData);
                       bucket = Bucket();
                       bucket.key = key;
                   }
                   bucket.add(block, count);
               });
    bucket.finish(solid, *lineData);
}

/// Straight to the points that carry a marker, however many lie between them.
void CurveGraph::getOptimizedScatterData(QVector<QCPGraphData>* scatterData,
                                         QCPGraphDataContainer::const_iterator begin,
                                         QCPGraphDataContainer::const_iterator end) const {
    const int each = scatterSkip() + 1, most = std::max(1, keyAxis()->axisRect()->width());
    if (crowded_) return;
    if ((end - begin) / each <= most) {
        QCPGraph::getOptimizedScatterData(scatterData, begin, end);
        return;
    }
    const auto first = data()->constBegin();
    auto step = static_cast<qptrdiff>(each);
    while ((end - begin) / step > most) step += each;
    const qptrdiff from = (begin - first + step - 1) / step * step;
    for (qptrdiff i = from; i < end - first; i += step) scatterData->append(*(first + static_cast<int>(i)));
}

/// The time to fill one path grows with the square of its dashes, so a dashed line is drawn in pieces; each piece takes
/// up the dashes where the last one left off.
void CurveGraph::drawLinePlot(QCPPainter* painter, const QVector<QPointF>& lines) const {
    if (crowded_) {
        painter->setAntialiasing(false);
        painter->setBrush(Qt::NoBrush);
        painter->setPen(QPen(pen().color(), 0));
        painter->drawPolyline(lines.constData(), static_cast<int>(lines.size()));
        return;
    }
    if (byColumns(*painter, lines)) {
        drawColumns(painter);
        return;
    }
    const bool whole = plain();
    if (whole || lines.size() <= kPiece || painter->modes().testFlag(QCPPainter::pmVectorized)) {
        QPen linePen = pen();
        if (whole) linePen.setStyle(Qt::SolidLine);
        painter->setPen(linePen);
        QCPGraph::drawLinePlot(painter, lines);
        return;
    }
    applyDefaultAntialiasingHint(painter);
    painter->setBrush(Qt::NoBrush);
    QPen piecePen = pen();
    double length = 0;
    for (qsizetype from = 0; from + 1 < lines.size(); from += kPiece - 1) {
        const qsizetype count = std::min<qsizetype>(kPiece, lines.size() - from);
        piecePen.setDashOffset(length / piecePen.widthF());
        painter->setPen(piecePen);
        painter->drawPolyline(lines.constData() + from, static_cast<int>(count));
        for (qsizetype i = from; i + 1 < from + count; ++i) length += QLineF(lines[i], lines[i + 1]).length();
    }
}

void CurveGraph::posts(const QCPRange& sight, double columns,
                       const std::function<void(double x, const Extremes& values)>& visit) const {
    const auto begin = data()->findBegin(sight.lower), end = data()->findEnd(sight.upper);
    const auto first = data()->constBegin();
    if (end <= begin) return;
    const MinMaxPyramid& known = pyramid();
    for (const Stretch& part :
         stretches(static_cast<std::size_t>(begin - first), static_cast<std::size_t>(end - first), columns)) {
        const double crowd = static_cast<double>(part.to - part.from) / part.columns;
        const std::size_t level = known.levelFor(crowd / kPartsOfColumn);
        if (level < known.levels() || crowd < kFewInColumn) {
            blocks(level, part, [&](const MinMaxPyramid::Block& block, std::size_t) { visit(block.x, block.values); });
            continue;
        }
        // Too few for blocks, yet many: as many as fall into a column at a time.
        const auto each = static_cast<std::size_t>(crowd / kPartsOfColumn);
        for (std::size_t i = part.from; i < part.to;) {
            Extremes values;
            const double x = (first + static_cast<int>(i))->key;
            for (const std::size_t to = std::min(part.to, (i / each + 1) * each); i < to; ++i)
                values.add((first + static_cast<int>(i))->value);
            visit(x, values);
        }
    }
}

void CurveGraph::blocks(std::size_t level, const Stretch& part,
                        const std::function<void(const MinMaxPyramid::Block& block, std::size_t count)>& visit) const {
    const auto first = data()->constBegin();
    const auto point = [&](std::size_t i) {
        const QCPGraphData& datum = *(first + static_cast<int>(i));
        return std::pair(datum.key, datum.value);
    };
    pyramid().pieces(level, part.from, part.to, point, visit);
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

/// True where so many points go up and down that a stroke per pixel column shows the same as a path, whose filling
/// costs more the more often it does.
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

std::vector<QPointF> loneMarkers(const QCustomPlot& plot) {
    std::vector<QPointF> points;
    const QCPRange sight = plot.xAxis->range();
    for (int i = 0; i < plot.graphCount(); ++i) {
        const QCPGraph* graph = plot.graph(i);
        if (graph->lineStyle() != QCPGraph::lsNone || !graph->visible()) continue;
        const auto end = graph->data()->findEnd(sight.upper, false);
        for (auto at = graph->data()->findBegin(sight.lower, false); at < end; ++at)
            points.emplace_back(plot.xAxis->coordToPixel(at->key), plot.yAxis->coordToPixel(at->value));
    }
    return points;
}

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
