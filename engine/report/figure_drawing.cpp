// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/report/figure_drawing.h"

#include <array>

namespace palimpsest::report {
namespace {

constexpr double kCurveHeight = 400;

void drawHead(Canvas& canvas, const Figure& figure) {
    const TextStyle title{15, true, Ink::Text, Anchor::Start};
    const TextStyle subtitle{11, false, Ink::Quiet, Anchor::Start};
    constexpr double kBaseLine = 27;
    canvas.text({kEdge, kBaseLine}, figure.title, title);
    const double left = kEdge + canvas.textWidth(figure.title, title) + 10;
    canvas.text({left, kBaseLine}, elided(canvas, figure.subtitle, subtitle, kFigureWidth - kEdge - left), subtitle);
}

}  // namespace

double figureHeight(const Figure& figure) {
    const auto* heat = std::get_if<HeatFigure>(&figure.content);
    return heat != nullptr ? heatMapHeight(*heat) : kCurveHeight;
}

void drawFigure(Canvas& canvas, const Figure& figure) {
    const double height = figureHeight(figure);
    const std::array ground{Point{0, 0}, Point{kFigureWidth, 0}, Point{kFigureWidth, height}, Point{0, height}};
    canvas.polygon(ground, {Ink::Panel, 1}, std::nullopt);
    drawHead(canvas, figure);
    if (const auto* heat = std::get_if<HeatFigure>(&figure.content)) {
        drawHeatMap(canvas, *heat);
    } else {
        drawCurves(canvas, std::get<CurveFigure>(figure.content), height);
    }
}

}  // namespace palimpsest::report
