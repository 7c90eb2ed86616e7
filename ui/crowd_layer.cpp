// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/crowd_layer.h"

#include <cmath>
#include <vector>

#include "ui/crowd_raster.h"
#include "ui/curve_graph.h"

namespace palimpsest {
namespace {

/// In order of drawing.
std::vector<const CurveGraph*> crowdOf(const QCustomPlot& plot) {
    std::vector<const CurveGraph*> crowd;
    for (int i = 0; i < plot.graphCount(); ++i) {
        const auto* graph = dynamic_cast<const CurveGraph*>(plot.graph(i));
        if (graph && graph->crowded() && graph->realVisibility() && !graph->data()->isEmpty()) crowd.push_back(graph);
    }
    return crowd;
}

/// From data to pixels of the axis rectangle, without asking the axis for each point.
class Scale {
public:
    Scale(const QCPAxis& axis, double pixels, bool downwards)
        : log_(axis.scaleType() == QCPAxis::stLogarithmic),
          from_(place(axis.range().lower)),
          factor_(pixels / (place(axis.range().upper) - from_)),
          pixels_(pixels),
          downwards_(downwards) {}
    double operator()(double value) const {
        const double pixel = (place(value) - from_) * factor_;
        return downwards_ ? pixels_ - pixel : pixel;
    }

private:
    double place(double value) const { return log_ ? std::log(std::max(value, 1e-300)) : value; }
    bool log_;
    double from_, factor_, pixels_;
    bool downwards_;
};

}  // namespace

QRect CrowdLayer::clipRect() const {
    return parentPlot()->axisRect()->rect();
}

CrowdLayer::Sight CrowdLayer::sight(double resolution) const {
    const QCustomPlot& plot = *parentPlot();
    Sight now;
    for (const CurveGraph* graph : crowdOf(plot))
        now.members.append({graph->edition(), graph->dataCount(), graph->pen().color().rgba()});
    now.x = plot.xAxis->range();
    now.y = plot.yAxis->range();
    now.x_scale = plot.xAxis->scaleType();
    now.y_scale = plot.yAxis->scaleType();
    now.pixels = (QSizeF(plot.axisRect()->size()) * resolution).toSize();
    return now;
}

QImage CrowdLayer::paint(double resolution) const {
    const QCustomPlot& plot = *parentPlot();
    CrowdRaster raster(sight_.pixels.width(), sight_.pixels.height(), resolution);
    const Scale x(*plot.xAxis, sight_.pixels.width(), false), y(*plot.yAxis, sight_.pixels.height(), true);
    for (const CurveGraph* graph : crowdOf(plot)) {
        graph->posts(sight_.x, sight_.pixels.width(), [&](double place, const Extremes& values) {
            if (values.empty())
                raster.interrupt();
            else
                raster.lineTo(x(place), y(values.high), y(values.low));
        });
        raster.finish(graph->pen().color());
    }
    return raster.image();
}

void CrowdLayer::draw(QCPPainter* painter) {
    if (painter->modes().testFlag(QCPPainter::pmVectorized)) return;
    const double resolution = painter->device()->devicePixelRatioF() * painter->worldTransform().m11();
    Sight now = sight(resolution);
    if (now.members.isEmpty() || now.pixels.isEmpty()) {
        image_ = QImage();
        sight_ = Sight();
        return;
    }
    if (now != sight_ || image_.isNull()) {
        sight_ = std::move(now);
        image_ = paint(resolution);
    }
    painter->drawImage(QRectF(parentPlot()->axisRect()->rect()), image_);
}

}  // namespace palimpsest
