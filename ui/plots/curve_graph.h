// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <qcustomplot.h>

#include <QPointF>
#include <functional>
#include <vector>

#include "engine/support/min_max_pyramid.h"

class QCustomPlot;

namespace palimpsest {

class CrowdRaster;

/// A line that is drawn from at most a few points a pixel, however many it has. Where there are too many, a solid line
/// keeps the lowest and the highest of each pixel; a thin one (dashed: its dashes would dissolve in the zigzag) takes
/// their mean. Points on the border of the figure, and a curve's own ends, are drawn whole. All points are kept; they
/// are only ever appended, in order of x.
class CurveGraph : public QCPGraph {
    Q_OBJECT
public:
    CurveGraph(QCPAxis* keyAxis, QCPAxis* valueAxis);

    /// In place of all points.
    void replace(const QVector<QCPGraphData>& points);
    /// One of very many: a hair line without dashes or markers, which a CrowdLayer draws together with the others.
    void setCrowded(bool crowded) { crowded_ = crowded; }
    bool crowded() const { return crowded_; }
    /// Its peaks count: where points are closer than dashes could show, the line is drawn whole, and without them.
    void setPeaked(bool peaked) { peaked_ = peaked; }
    /// Another one whenever points were not only appended; no two lines have the same.
    quint64 edition() const { return edition_; }
    /// Lowest and highest of the values between two places.
    Extremes extremes(double from, double to) const;
    /// Draws its part in sight into a raster of `part` of the figure, `resolution` of whose pixels are one of the
    /// figure's; the line is not finished yet.
    void trace(CrowdRaster& raster, const QRect& part, double resolution) const;

protected:
    void draw(QCPPainter* painter) override;
    QRect clipRect() const override;
    void getOptimizedLineData(QVector<QCPGraphData>* lineData, const QCPGraphDataContainer::const_iterator& begin,
                              const QCPGraphDataContainer::const_iterator& end) const override;
    void getOptimizedScatterData(QVector<QCPGraphData>* scatterData, QCPGraphDataContainer::const_iterator begin,
                                 QCPGraphDataContainer::const_iterator end) const override;
    void drawLinePlot(QCPPainter* painter, const QVector<QPointF>& lines) const override;
    void drawFill(QCPPainter* painter, QVector<QPointF>* lines) const override;

private:
    const MinMaxPyramid& pyramid() const;
    /// Drawn without dashes.
    bool plain() const;
    /// Neighbouring points that are drawn from blocks of one level.
    struct Stretch {
        std::size_t from = 0, to = 0;  ///< the latter not included
        double columns = 1;            ///< that it takes
    };
    std::vector<Stretch> stretches(std::size_t from, std::size_t to, double columns) const;
    /// All that is between two places, and the line's next points outside: in order, each point or, where there are
    /// many more than `columns`, what lies between the lowest and the highest of neighbouring ones. One that is not a
    /// number is empty.
    void posts(const QCPRange& sight, double columns,
               const std::function<void(double x, const Extremes& values)>& visit) const;
    /// Neighbouring points as blocks of a level of the pyramid.
    void blocks(std::size_t level, const Stretch& part,
                const std::function<void(const MinMaxPyramid::Block& block, std::size_t count)>& visit) const;
    bool byColumns(const QCPPainter& painter, const QVector<QPointF>& lines) const;
    /// Filled with one colour down to zero.
    bool plainlyFilled() const;
    /// The line and, below it, what it fills.
    void drawColumns(QCPPainter* painter) const;

    bool crowded_ = false;
    bool peaked_ = false;
    quint64 edition_;
    mutable MinMaxPyramid pyramid_;  ///< of as many of the points as were drawn
};

/// Points about four pixels apart along every curve of a figure that is in sight: what a name should not cover. A lone
/// marker is there several times.
std::vector<QPointF> curvePoints(const QCustomPlot& plot);
/// The lone markers among them, each once.
std::vector<QPointF> loneMarkers(const QCustomPlot& plot);

}  // namespace palimpsest
