// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/curve_graph.h"

#include <algorithm>

namespace palimpsest {
namespace {

constexpr double kSolidBucket = 1.5, kThinBucket = 3;  // pixels
constexpr int kPiece = 24;                             // points
constexpr int kOverhang = 8;                           // pixels; half of the largest marker

}  // namespace

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
    const bool solid = pen().style() == Qt::SolidLine;
    const QCPRange sight = axis->range();
    const double buckets = axis->axisRect()->width() / (solid ? kSolidBucket : kThinBucket);
    if (static_cast<double>(end - begin) <= buckets * (solid ? 2 : 1)) {
        lineData->resize(static_cast<int>(end - begin));
        std::copy(begin, end, lineData->begin());
        return;
    }
    const double width = sight.size() / buckets;
    for (auto at = begin; at != end;) {
        const double bucket = std::floor(at->key / width);
        auto low = at, high = at;
        double keys = 0, values = 0;
        qptrdiff count = 0;
        for (; at != end && at->key < (bucket + 1) * width; ++at, ++count) {
            keys += at->key;
            values += at->value;
            if (at->value < low->value) low = at;
            if (at->value > high->value) high = at;
        }
        if (count == 0) {  // a key on the border, by rounding
            lineData->append(*at++);
        } else if (!solid) {
            lineData->append({keys / static_cast<double>(count), values / static_cast<double>(count)});
        } else {
            lineData->append(*std::min(low, high));
            if (low != high) lineData->append(*std::max(low, high));
        }
    }
}

/// The time to fill one path grows with the square of its dashes, so a dashed line is drawn in pieces; each piece takes
/// up the dashes where the last one left off.
void CurveGraph::drawLinePlot(QCPPainter* painter, const QVector<QPointF>& lines) const {
    if (pen().style() == Qt::SolidLine || lines.size() <= kPiece ||
        painter->modes().testFlag(QCPPainter::pmVectorized)) {
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
