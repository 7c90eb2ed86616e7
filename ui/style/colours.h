// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>

namespace palimpsest {

/// Contrast of lines and marks, and of text, that users need to make them out (WCAG 2.1, 1.4.11 and 1.4.3).
inline constexpr double kMarkContrast = 3, kWordContrast = 4.5;

/// Contrast ratio of opaque colours after WCAG 2.1: 1 (none) to 21 (black on white).
double contrast(const QColor& a, const QColor& b);

/// The colour itself where its contrast to the ground is at least `least`; else the next darker or lighter one of its
/// hue.
QColor legible(const QColor& colour, const QColor& ground, double least);

/// Colour of a share from 0 to 1 on the scale cividis, from dark blue to yellow (Nuñez, Anderton and Renslow, PLoS ONE
/// 13, 2018), which users of every colour vision read in the same order, on dark and on light ground.
QRgb heatColour(double share);
/// From -1, pink, over 0, a grey, to 1, turquoise, which every kind of colour vision tells apart, and which mean
/// nothing else. It goes by the square root, so that what is weak beside the strongest can be seen.
QRgb twoSidedColour(double share);
/// Text colour that is readable on that colour: black or white, whichever stands out more. One of them has at least the
/// contrast of 4.5 that WCAG 2.1 asks for on any ground.
QColor textOnHeat(double share);

}  // namespace palimpsest
