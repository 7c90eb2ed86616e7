// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "engine/report/canvas.h"
#include "engine/report/figure.h"
#include "engine/report/figure_style.h"

namespace palimpsest::report {

/// Height in units of the style. Curves have one height and the room their legend needs, a heat map grows with its
/// rows. `measure` is asked for widths alone, here and below.
double figureHeight(Canvas& measure, const Figure& figure, const FigureStyle& style);
void drawFigure(Canvas& canvas, const Figure& figure, const FigureStyle& style);

// Bytes of a file. The same figure gives the same bytes.

std::string figurePng(const Figure& figure, const FigureStyle& style);
/// Curves that grow from the left, all in step, over kGrowthSeconds, and stay; an animated GIF that begins anew for
/// ever. No wider than kWidestAnimation pixels. Throws Error(Input) for a figure without curves.
std::string figureGif(const Figure& figure, const FigureStyle& style);
inline constexpr double kGrowthSeconds = 6;
inline constexpr int kWidestAnimation = 1280;
/// `created`: ISO 8601, goes into the document's properties.
std::string figurePdf(const Figure& figure, const FigureStyle& style, const std::string& created);
std::string figureSvg(const Figure& figure, const FigureStyle& style);
/// An <svg> element that takes its colours from the page's custom properties.
std::string figureForPage(const Figure& figure);

/// A tikzpicture with the figure's numbers in it, to \input into a paper that loads pgfplots. Colours, dashes, markers,
/// sizes of type and widths are those of the drawing; `caption` goes into comments.
std::string figureTikz(const Figure& figure, const FigureStyle& style, const std::string& caption);
/// The same as a document of its own, cut to the figure.
std::string figureTex(const Figure& figure, const FigureStyle& style, const std::string& caption);

// Parts of drawFigure(), below the title line.

void drawCurves(Canvas& canvas, const CurveFigure& figure, const FigureStyle& style);
/// Names, values and notes below a plot whose style has its legend there; nothing, and no height, elsewhere.
void drawLegend(Canvas& canvas, const CurveFigure& figure, const FigureStyle& style, double top);
double legendHeight(Canvas& measure, const CurveFigure& figure, const FigureStyle& style);
void drawHeatMap(Canvas& canvas, const HeatFigure& figure, const FigureStyle& style);
double heatMapHeight(Canvas& measure, const HeatFigure& figure, const FigureStyle& style);

}  // namespace palimpsest::report
