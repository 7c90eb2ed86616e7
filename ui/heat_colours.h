// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>

namespace palimpsest {

/// From dark blue to yellow, for shares from 0 to 1: cividis (Nuñez, Anderton and Renslow, PLoS ONE 13, 2018), which
/// people of every colour vision read in the same order, on dark and on light ground.
QRgb heatColour(double share);
/// What can be read on that colour.
QColor textOnHeat(double share);

}  // namespace palimpsest
