// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "engine/report/figure.h"
#include "engine/report/figure_style.h"

namespace palimpsest::report {

// Parts of figureTikz().

/// "palimpsestSeries1", and its value without the sign in front.
std::string texColour(Ink ink);
std::string texHex(Ink ink);
/// The size of tick labels, which the drawing has too.
std::string texFont(const FigureStyle& style);
/// "3.3in".
std::string texLength(double value, const char* unit);
std::string curveAxis(const CurveFigure& figure, const FigureStyle& style);

}  // namespace palimpsest::report
