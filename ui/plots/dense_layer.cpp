// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/dense_layer.h"

#include <vector>

#include "ui/plots/curve_graph.h"
#include "ui/plots/dense_lines.h"

namespace palimpsest {
namespace {

constexpr double kThinnest = 0.3;  // ink of a line that is spread over many pixels

/// In order of drawing.
std::vector<const CurveGraph*> crowdOf(const QCustomPlot& plot) {
    std::vector<const CurveGraph*> crowd;
    for (int i = 0; i < plot.graphCount(); ++i) {
        const auto* graph = dynamic_cast<const CurveGraph*>(plot.graph(i));
        if (graph && graph->crowded() && graph->realVisibility() && !graph->data()->isEmpty()) crowd.push_back(graph);
    }
    return crowd;
}

}  // namespace

QString CrowdLayer::made(QCustomPlot& plot) {
    plot.addLayer(kName, plot.layer(QStringLiteral("main")), QCustomPlot::limBelow);
    return kName;
}

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
    now.resolution = resolution;
    return now;
}

QImage CrowdLayer::paint() const {
    const QCustomPlot& plot = *parentPlot();
    CrowdRaster raster(sight_.pixels.width(), sight_.pixels.height(), sight_.resolution);
    for (const CurveGraph* graph : crowdOf(plot)) {
        graph->trace(raster, clipRect(), sight_.resolution);
        raster.finish(graph->pen().color(), kThinnest);
    }
    return raster.image();
}

void CrowdLayer::draw(QCPPainter* painter) {
    if (painter->modes().testFlag(QCPPainter::pmVectorized)) return;
    const double resolution = paintedPixels(*painter);
    Sight now = sight(resolution);
    if (now.members.isEmpty() || now.pixels.isEmpty()) {
        image_ = QImage();
        sight_ = Sight();
        return;
    }
    if (now != sight_ || image_.isNull()) {
        sight_ = std::move(now);
        image_ = paint();
    }
    painter->drawImage(QRectF(parentPlot()->axisRect()->rect()), image_);
}

}  // namespace palimpsest
