// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>

#include "ui/state/stream_grid.h"

namespace palimpsest {

struct Theme;

/// How strong a cell is drawn that has so much, 0 to 1, of its class's fullest cell.
float shadeStrength(double share);
/// A pixel a cell, in the hues of disjoint and blurry classes.
QImage shadedPicture(const StreamGrid& grid, const Theme& theme);

}  // namespace palimpsest
