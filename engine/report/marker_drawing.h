// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/report/canvas.h"
#include "engine/report/palette.h"

namespace palimpsest::report {

/// The marker of a series, filled with the ground so that curves below it stay readable.
void drawMarker(Canvas& canvas, const SeriesStyle& style, Point centre, double radius);

}  // namespace palimpsest::report
