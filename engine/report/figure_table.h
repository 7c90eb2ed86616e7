// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "engine/report/figure.h"

namespace palimpsest::report {

/// The numbers of a figure, for readers who cannot see it or want them exactly.
struct FigureTable {
    std::vector<std::string> head;
    std::vector<std::vector<std::string>> rows;  ///< the first cell of a row names it
};
FigureTable figureTable(const Figure& figure);

}  // namespace palimpsest::report
