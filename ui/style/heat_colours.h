// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>

namespace palimpsest {

/// From dark blue to yellow, for shares from 0 to 1: cividis (Nuñez, Anderton and Renslow, PLoS ONE 13, 2018), which
/// people of every colour vision read in the same order, on dark and on light ground.
QRgb heatColour(double share);
/// Text colour that is readable on that colour: black or white, whichever stands out more. One of them has at least the
/// contrast of 4.5 that WCAG 2.1 asks for on any ground.
QColor textOnHeat(double share);

}  // namespace palimpsest
