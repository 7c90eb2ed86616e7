// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/report/figure_drawing.h"

#include <cairo-pdf.h>
#include <cairo.h>

#include <array>
#include <cmath>

#include "engine/report/cairo_canvas.h"
#include "engine/report/svg_canvas.h"
#include "engine/support/error.h"

namespace palimpsest::report {

namespace {

void drawHead(Canvas& canvas, const Figure& figure, const FigureStyle& style) {
    const CanvasTextStyle title{15, true, Ink::Text, Anchor::Start};
    const CanvasTextStyle subtitle{11, false, Ink::Quiet, Anchor::Start};
    constexpr double kBaseLine = 27;
    const std::string name = elided(canvas, figure.title, title, style.width - 2 * style.edge);
    canvas.text({style.edge, kBaseLine}, name, title);
    const double left = style.edge + canvas.textWidth(name, title) + 10;
    const std::string rest = elided(canvas, figure.subtitle, subtitle, style.width - style.edge - left);
    // An ellipsis alone says nothing.
    if (rest != "…") canvas.text({left, kBaseLine}, rest, subtitle);
}

cairo_status_t append(void* closure, const unsigned char* data, unsigned int length) {
    static_cast<std::string*>(closure)->append(reinterpret_cast<const char*>(data), length);
    return CAIRO_STATUS_SUCCESS;
}

void throwIfFailed(const CairoCanvas& canvas, const Figure& figure) {
    if (const std::string failure = canvas.failure(); !failure.empty())
        throw runError("The figure “" + figure.title + "” could not be drawn: " + failure + ".");
}

std::string svgText(const Figure& figure, const FigureStyle& style, SvgUse use) {
    SvgCanvas canvas(use);
    drawFigure(canvas, figure, style);
    // On a screen a unit is a pixel; paper has inches.
    const double points = style.headed ? 0 : style.point;
    return canvas.document(style.width, figureHeight(canvas, figure, style), points, figure.title, figure.description);
}

double heightOf(const Figure& figure, const FigureStyle& style) {
    CairoCanvas measure;
    return figureHeight(measure, figure, style);
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

std::string figurePng(const Figure& figure, const FigureStyle& style) {
    const auto pixels = [&](double units) { return static_cast<int>(std::lround(units * style.pixels)); };
    CairoCanvas canvas(
        cairo_image_surface_create(CAIRO_FORMAT_RGB24, pixels(style.width), pixels(heightOf(figure, style))),
        style.pixels);
    canvas.cover(Ink::Panel);
    drawFigure(canvas, figure, style);
    throwIfFailed(canvas, figure);
    std::string bytes;
    cairo_surface_write_to_png_stream(canvas.surface(), append, &bytes);
    throwIfFailed(canvas, figure);
    return bytes;
}

std::string figurePdf(const Figure& figure, const FigureStyle& style, const std::string& created) {
    std::string bytes;
    CairoCanvas canvas(cairo_pdf_surface_create_for_stream(append, &bytes, style.width * style.point,
                                                           heightOf(figure, style) * style.point),
                       style.point);
    // Without a date of ours cairo would write today's, and the same runs would give other bytes.
    cairo_pdf_surface_set_metadata(canvas.surface(), CAIRO_PDF_METADATA_CREATE_DATE, created.c_str());
    cairo_pdf_surface_set_metadata(canvas.surface(), CAIRO_PDF_METADATA_TITLE, figure.title.c_str());
    cairo_pdf_surface_set_metadata(canvas.surface(), CAIRO_PDF_METADATA_SUBJECT, figure.description.c_str());
    drawFigure(canvas, figure, style);
    cairo_surface_finish(canvas.surface());
    if (const cairo_status_t status = cairo_surface_status(canvas.surface()); status != CAIRO_STATUS_SUCCESS)
        throw runError("The figure “" + figure.title + "” could not be drawn: " + cairo_status_to_string(status) + ".");
    return bytes;
}

std::string figureSvg(const Figure& figure, const FigureStyle& style) {
    return svgText(figure, style, SvgUse::File);
}

std::string figureForPage(const Figure& figure) {
    return svgText(figure, screenStyle(), SvgUse::Page);
}

}  // namespace palimpsest::report
