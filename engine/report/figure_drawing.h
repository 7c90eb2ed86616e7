// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/report/canvas.h"
#include "engine/report/figure.h"
#include "engine/report/figure_style.h"

namespace palimpsest::report {

/// Height in units of the style. Curves have one height and the room their legend needs, a heat map grows with its
/// rows. `measure` is asked for widths alone.
double figureHeight(Canvas& measure, const Figure& figure, const FigureStyle& style);

void drawFigure(Canvas& canvas, const Figure& figure, const FigureStyle& style);

}  // namespace palimpsest::report
