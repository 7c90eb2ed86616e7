// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <qcustomplot.h>

namespace palimpsest {

/// A line that is drawn from at most a few points a pixel, however many it has. Where there are too many, a solid line
/// keeps the lowest and the highest of each pixel; a thin one (dashed: its dashes would dissolve in the zigzag) takes
/// their mean. Points on the border of the figure, and a curve's own ends, are drawn whole.
class CurveGraph : public QCPGraph {
    Q_OBJECT
public:
    CurveGraph(QCPAxis* keyAxis, QCPAxis* valueAxis) : QCPGraph(keyAxis, valueAxis) {}

protected:
    QRect clipRect() const override;
    void getOptimizedLineData(QVector<QCPGraphData>* lineData, const QCPGraphDataContainer::const_iterator& begin,
                              const QCPGraphDataContainer::const_iterator& end) const override;
    void drawLinePlot(QCPPainter* painter, const QVector<QPointF>& lines) const override;
};

}  // namespace palimpsest
