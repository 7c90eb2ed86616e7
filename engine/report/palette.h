// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <string>
#include <vector>

#include "engine/report/canvas.h"

namespace palimpsest::report {

inline constexpr std::array kInks{Ink::Panel,   Ink::Line,    Ink::Text,    Ink::Quiet,   Ink::Accent,
                                  Ink::Series1, Ink::Series2, Ink::Series3, Ink::Series4, Ink::Series5};

/// "#rrggbb" on a light ground (Okabe and Ito's palette, its yellow darkened for white paper) and on a dark one.
const char* lightColour(Ink ink);
const char* darkColour(Ink ink);
/// Custom property of the page's style sheet, e.g. "--series-1".
const char* variableName(Ink ink);

enum class Marker { None, Circle, Square, Triangle, Diamond, Cross };

/// How one series differs from the others: by colour, and by dash and marker where there is no colour.
struct SeriesStyle {
    Ink ink = Ink::Series1;
    Marker marker = Marker::Circle;
    std::vector<double> dash;
    double width = 1.8;
    double opacity = 1;
};
/// The first 20 differ in colour and dash; the first five differ in any one of colour, dash and marker.
SeriesStyle seriesStyle(std::size_t index);

}  // namespace palimpsest::report
