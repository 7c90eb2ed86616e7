// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>

namespace palimpsest::report {

/// Names of curves: at their ends, or in a legend below the plot where there is no room beside it.
enum class LegendPlace { Beside, Below };

/// Size and form of a figure. Everything is drawn in units, of which tick labels are kTickUnits high,
/// so that a figure keeps its proportions in every format.
struct FigureStyle {
    const char* name;   ///< as on the command line: "single-column"
    const char* title;  ///< "Single column, 3.3 in"
    double width;       ///< units
    double height;      ///< units, of curves without a legend below
    double point;       ///< points a unit
    double pixels;      ///< pixels a unit in a PNG
    double line;        ///< curves and markers, times their usual width
    double edge;        ///< units kept free around the figure
    LegendPlace legend;
    bool headed;  ///< title and subtitle above the plot; papers say them in the caption

    double inches() const { return width * point / 72; }
    double fontPoints() const;  ///< of tick labels
    /// Units above the content.
    double head() const { return headed ? 44 : 0; }
};

inline constexpr double kTickUnits = 10;

/// screen, single-column, double-column, slide.
std::span<const FigureStyle> figureStyles();
const FigureStyle& screenStyle();
/// Throws Error(Input), which names the known ones.
const FigureStyle& findFigureStyle(const std::string& name);

}  // namespace palimpsest::report
