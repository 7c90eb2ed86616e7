// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/report/canvas.h"
#include "engine/report/figure.h"
#include "engine/report/figure_style.h"

namespace palimpsest::report {

// Curves of a figure, below its title line.

void drawCurves(Canvas& canvas, const CurveFigure& figure, const FigureStyle& style);

/// Names, values and notes below a plot whose style has its legend there; nothing, and no height, elsewhere.
void drawLegend(Canvas& canvas, const CurveFigure& figure, const FigureStyle& style, double top);
double legendHeight(Canvas& measure, const CurveFigure& figure, const FigureStyle& style);

}  // namespace palimpsest::report
