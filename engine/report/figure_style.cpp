// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/report/figure_style.h"

#include <algorithm>
#include <array>

#include "engine/support/error.h"

namespace palimpsest::report {
namespace {

constexpr double kPaperPoint = 0.7;  // tick labels of 7 points, names of 8
constexpr double kSlidePoint = 1.4;  // tick labels of 14 points
constexpr double kDotsPerInch = 600;

/// Units in so many inches.
constexpr double units(double inches, double point) {
    return inches * 72 / point;
}

constexpr std::array<FigureStyle, 4> kStyles{{
    // The width is that of the text of an A4 page when printed.
    {"screen", "Screen, 6.6 in", 720, 400, 0.66, 2, 1, 16, LegendPlace::Beside, true},
    {"single-column", "Single column, 3.3 in", units(3.3, kPaperPoint), 210, kPaperPoint,
     kDotsPerInch* kPaperPoint / 72, 0.9, 4, LegendPlace::Below, false},
    {"double-column", "Double column, 6.9 in", units(6.9, kPaperPoint), 300, kPaperPoint,
     kDotsPerInch* kPaperPoint / 72, 0.9, 4, LegendPlace::Beside, false},
    {"slide", "Slide, 12 in", units(12, kSlidePoint), units(6, kSlidePoint), kSlidePoint, 2 * kSlidePoint, 1.2, 8,
     LegendPlace::Beside, true},
}};

}  // namespace

double FigureStyle::fontPoints() const {
    return kTickUnits * point;
}

std::span<const FigureStyle> figureStyles() {
    return kStyles;
}

const FigureStyle& screenStyle() {
    return kStyles.front();
}

const FigureStyle& findFigureStyle(const std::string& name) {
    const auto* found =
        std::find_if(kStyles.begin(), kStyles.end(), [&](const FigureStyle& style) { return style.name == name; });
    if (found != kStyles.end()) return *found;
    std::string known;
    for (const FigureStyle& style : kStyles) known += std::string(known.empty() ? "" : ", ") + style.name;
    throw inputError("There is no figure style “" + name + "”.", "Known styles: " + known + ".");
}

}  // namespace palimpsest::report
