// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/report/canvas.h"
#include "engine/report/figure.h"
#include "engine/report/figure_style.h"

namespace palimpsest::report {

// Heat map of a figure, below its title line. `measure` is asked for widths alone.

void drawHeatMap(Canvas& canvas, const HeatFigure& figure, const FigureStyle& style);
double heatMapHeight(Canvas& measure, const HeatFigure& figure, const FigureStyle& style);

}  // namespace palimpsest::report
