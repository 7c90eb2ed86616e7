// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "engine/report/figure.h"
#include "engine/report/figure_style.h"

namespace palimpsest::report {

/// The bytes of a file. The same figure gives the same bytes.
std::string figurePng(const Figure& figure, const FigureStyle& style);
/// `created`: ISO 8601, goes into the document's properties.
std::string figurePdf(const Figure& figure, const FigureStyle& style, const std::string& created);
std::string figureSvg(const Figure& figure, const FigureStyle& style);
/// An <svg> element that takes its colours from the page's custom properties.
std::string figureForPage(const Figure& figure);

}  // namespace palimpsest::report
