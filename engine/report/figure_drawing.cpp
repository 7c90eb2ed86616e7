// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/report/figure_drawing.h"

#include <array>

#include "engine/report/curve_drawing.h"
#include "engine/report/heat_drawing.h"

namespace palimpsest::report {
namespace {

void drawHead(Canvas& canvas, const Figure& figure, const FigureStyle& style) {
    const TextStyle title{15, true, Ink::Text, Anchor::Start};
    const TextStyle subtitle{11, false, Ink::Quiet, Anchor::Start};
    constexpr double kBaseLine = 27;
    const std::string name = elided(canvas, figure.title, title, style.width - 2 * style.edge);
    canvas.text({style.edge, kBaseLine}, name, title);
    const double left = style.edge + canvas.textWidth(name, title) + 10;
    const std::string rest = elided(canvas, figure.subtitle, subtitle, style.width - style.edge - left);
    // An ellipsis alone says nothing.
    if (rest != "…") canvas.text({left, kBaseLine}, rest, subtitle);
}

}  // namespace

double figureHeight(Canvas& measure, const Figure& figure, const FigureStyle& style) {
    if (const auto* heat = std::get_if<HeatFigure>(&figure.content)) return heatMapHeight(measure, *heat, style);
    return style.height + legendHeight(measure, std::get<CurveFigure>(figure.content), style);
}

void drawFigure(Canvas& canvas, const Figure& figure, const FigureStyle& style) {
    const double height = figureHeight(canvas, figure, style);
    const std::array ground{Point{0, 0}, Point{style.width, 0}, Point{style.width, height}, Point{0, height}};
    canvas.polygon(ground, {Ink::Panel, 1}, std::nullopt);
    if (style.headed) drawHead(canvas, figure, style);
    if (const auto* heat = std::get_if<HeatFigure>(&figure.content)) {
        drawHeatMap(canvas, *heat, style);
    } else {
        const auto& curves = std::get<CurveFigure>(figure.content);
        drawCurves(canvas, curves, style);
        drawLegend(canvas, curves, style, style.height);
    }
}

}  // namespace palimpsest::report
