// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/dense_lines.h"

#include <QColor>
#include <QPaintDevice>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <vector>

#include "ui/plots/curve_graph.h"

namespace palimpsest {
namespace {

constexpr double kSolid = 5;      // times its thickness that a line covers before its ink spreads
constexpr int kTile = 16;         // columns whose pixels are brought into rows together
constexpr double kFarAway = 1e9;  // pixels; beyond that a coordinate only says where to

/// `part` of 256 of each channel.
QRgb channelsScaled(QRgb colour, unsigned part) {
    const unsigned even = ((colour & 0x00ff00ffU) * part >> 8) & 0x00ff00ffU;
    const unsigned odd = ((colour >> 8) & 0x00ff00ffU) * part & 0xff00ff00U;
    return even | odd;
}

void blend(QRgb& pixel, QRgb colour, double coverage) {
    const QRgb over = channelsScaled(colour, static_cast<unsigned>(std::lround(256 * coverage)));
    pixel = over + channelsScaled(pixel, 256 - static_cast<unsigned>(qAlpha(over)));
}

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

CrowdRaster::CrowdRaster(int width, int height, double thickness)
    : width_(std::max(1, width)),
      height_(std::max(1, height)),
      thickness_(thickness),
      pixels_(static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_)),
      columns_(static_cast<std::size_t>(width_)),
      first_(width_),
      last_(-1) {}

void CrowdRaster::extend(int column, double top, double bottom) {
    if (column < 0 || column >= width_) return;
    Column& here = columns_[static_cast<std::size_t>(column)];
    const bool empty = here.bottom < here.top;
    here.top = empty ? static_cast<float>(top) : std::min(here.top, static_cast<float>(top));
    here.bottom = empty ? static_cast<float>(bottom) : std::max(here.bottom, static_cast<float>(bottom));
    first_ = std::min(first_, column);
    last_ = std::max(last_, column);
}

/// A straight line from where it is to x, from one height to another.
void CrowdRaster::connect(double x, double from, double to) {
    if (x < 0 || x_ >= width_) return;
    const double slope = x > x_ ? (to - from) / (x - x_) : 0;
    const int begin = std::max(0, static_cast<int>(std::floor(std::max(x_, -1.0))));
    const int end = static_cast<int>(std::floor(std::min<double>(x, width_)));
    for (int column = begin; column <= std::min(end, width_ - 1); ++column) {
        const double a = column <= x_ ? from : from + slope * (column - x_);
        const double b = column + 1 >= x ? to : from + slope * (column + 1 - x_);
        extend(column, std::min(a, b), std::max(a, b));
    }
}

void CrowdRaster::lineTo(double x, double top, double bottom) {
    if (std::isnan(x) || std::isnan(top) || std::isnan(bottom)) return interrupt();
    // Two points that lie infinitely far away have no slope.
    for (double* place : {&x, &top, &bottom}) *place = std::clamp(*place, -kFarAway, kFarAway);
    // Within a column nothing lies between two places.
    if (begun_ && (x_ < 0 || std::floor(x) != std::floor(x_))) {
        // From the side that faces the next: where the two overlap, level.
        const double from = bottom_ < top ? bottom_ : top_ > bottom ? top_ : std::max(top, top_);
        const double to = bottom_ < top ? top : top_ > bottom ? bottom : from;
        connect(x, from, to);
    }
    if (x >= 0 && x < width_) extend(static_cast<int>(x), top, bottom);
    begun_ = true;
    x_ = x;
    top_ = top;
    bottom_ = bottom;
}

void CrowdRaster::stroke(int column, double top, double bottom, QRgb colour) {
    top = std::max(top, 0.0);
    bottom = std::min<double>(bottom, height_);
    if (bottom <= top) return;
    QRgb* const pixels = pixels_.data() + static_cast<std::size_t>(column) * static_cast<std::size_t>(height_);
    const int first = static_cast<int>(top), last = static_cast<int>(bottom);
    if (first == last) {
        blend(pixels[first], colour, bottom - top);
        return;
    }
    blend(pixels[first], colour, first + 1 - top);
    if (qAlpha(colour) == 255)
        std::fill(pixels + first + 1, pixels + last, colour);
    else
        std::for_each(pixels + first + 1, pixels + last, [&](QRgb& pixel) { blend(pixel, colour, 1); });
    if (last < height_ && bottom > last) blend(pixels[last], colour, bottom - last);
}

void CrowdRaster::fillTo(double level, const QColor& colour) {
    const QRgb ink = qPremultiply(colour.rgba());
    for (int column = first_; column <= last_; ++column) {
        const Column& here = columns_[static_cast<std::size_t>(column)];
        if (here.top > here.bottom) continue;
        const double middle = (here.top + here.bottom) / 2;
        stroke(column, std::min(middle, level), std::max(middle, level), ink);
    }
}

void CrowdRaster::finish(const QColor& colour, double thinnest) {
    const QRgb ink = qPremultiply(colour.rgba());
    for (int column = first_; column <= last_; ++column) {
        Column& here = columns_[static_cast<std::size_t>(column)];
        if (here.top <= here.bottom) {
            const double top = here.top - thickness_ / 2, bottom = here.bottom + thickness_ / 2;
            const double part = std::clamp(kSolid * thickness_ / (bottom - top), thinnest, 1.0);
            stroke(column, top, bottom, part < 1 ? channelsScaled(ink, static_cast<unsigned>(256 * part)) : ink);
        }
        here = Column();
    }
    first_ = width_;
    last_ = -1;
    begun_ = false;
}

QImage CrowdRaster::image() const {
    QImage image(width_, height_, QImage::Format_ARGB32_Premultiplied);
    const auto height = static_cast<std::size_t>(height_);
    for (int tile = 0; tile < width_; tile += kTile) {
        const int end = std::min(width_, tile + kTile);
        for (int y = 0; y < height_; ++y) {
            auto* row = reinterpret_cast<QRgb*>(image.scanLine(y));
            for (int x = tile; x < end; ++x)
                row[x] = pixels_[static_cast<std::size_t>(x) * height + static_cast<std::size_t>(y)];
        }
    }
    return image;
}

double paintedPixels(const QPainter& painter) {
    return painter.device()->devicePixelRatioF() * painter.worldTransform().m11();
}

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
