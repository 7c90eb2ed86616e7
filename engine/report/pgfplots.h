// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "engine/report/figure.h"
#include "engine/report/figure_style.h"

namespace palimpsest::report {

/// The figure as a tikzpicture with its numbers in it, to \input into a paper that loads pgfplots. Colours, dashes,
/// markers, sizes of type and widths are those of the drawing; `caption` goes into comments.
std::string figureTikz(const Figure& figure, const FigureStyle& style, const std::string& caption);
/// The same as a document of its own, cut to the figure.
std::string figureTex(const Figure& figure, const FigureStyle& style, const std::string& caption);

}  // namespace palimpsest::report
