// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/report/canvas.h"
#include "engine/report/figure.h"
#include "engine/report/figure_style.h"

namespace palimpsest::report {

/// In units of the style. Curves have one height and the room their legend needs, a heat map grows with its rows.
/// `measure` is asked for widths alone.
double figureHeight(Canvas& measure, const Figure& figure, const FigureStyle& style);

void drawFigure(Canvas& canvas, const Figure& figure, const FigureStyle& style);

// Parts of drawFigure, below the title line.

void drawCurves(Canvas& canvas, const CurveFigure& figure, const FigureStyle& style);
void drawHeatMap(Canvas& canvas, const HeatFigure& figure, const FigureStyle& style);
double heatMapHeight(Canvas& measure, const HeatFigure& figure, const FigureStyle& style);

/// Names, values and notes below a plot whose style has its legend there; nothing, and no height, elsewhere.
void drawLegend(Canvas& canvas, const CurveFigure& figure, const FigureStyle& style, double top);
double legendHeight(Canvas& measure, const CurveFigure& figure, const FigureStyle& style);

}  // namespace palimpsest::report
