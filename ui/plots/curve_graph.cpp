// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/curve_graph.h"

#include <algorithm>
#include <cmath>
#include <utility>

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

    void take(const MinMaxPyramid::Block& block, std::size_t points) {
        if (block.values.low < values.low) low_x = block.x;
        if (block.values.high > values.high) high_x = block.x;
        values.take(block.values);
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
                   bucket.take(block, count);
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

}  // namespace palimpsest
