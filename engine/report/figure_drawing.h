// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/report/canvas.h"
#include "engine/report/figure.h"

namespace palimpsest::report {

inline constexpr double kFigureWidth = 720;
/// Curves have one height, a heat map grows with its rows.
double figureHeight(const Figure& figure);

void drawFigure(Canvas& canvas, const Figure& figure);

/// Parts of drawFigure: title line, then the content below kHeadHeight.
inline constexpr double kHeadHeight = 44;
inline constexpr double kEdge = 16;
void drawCurves(Canvas& canvas, const CurveFigure& figure, double height);
void drawHeatMap(Canvas& canvas, const HeatFigure& figure);
double heatMapHeight(const HeatFigure& figure);

}  // namespace palimpsest::report
