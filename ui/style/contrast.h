// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>

namespace palimpsest {

/// Contrast of lines and marks, and of words, that people need to make them out (WCAG 2.1, 1.4.11 and 1.4.3).
inline constexpr double kMarkContrast = 3, kWordContrast = 4.5;

/// 1 (none) to 21 (black on white), of opaque colours: WCAG 2.1, "contrast ratio".
double contrast(const QColor& a, const QColor& b);

/// The colour itself where it stands out enough from the ground; else the next darker or lighter one of its hue.
QColor legible(const QColor& colour, const QColor& ground, double least);

}  // namespace palimpsest
