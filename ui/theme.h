// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QPalette>
#include <array>

class QApplication;
class QWidget;

namespace palimpsest {

/// Colour tokens of one appearance. Disjoint is orange and blurry is sky blue, everywhere.
struct Theme {
    bool dark = true;
    QColor ground, panel, raised, line, text, quiet, accent, on_accent, disjoint, blurry, better, attention, worse;
    std::array<QColor, 5> series;        ///< colour-blind safe (Okabe-Ito, lightened on dark)

    static const Theme& darkTheme();
    static const Theme& lightTheme();
    /// The theme a widget is shown in, told from its palette. Widgets that paint themselves ask again in
    /// changeEvent(QEvent::PaletteChange).
    static const Theme& of(const QWidget* widget);
};

enum class Appearance { System, Dark, Light };
/// Sets palette, style sheet and font (Inter where installed) of the application.
void applyAppearance(QApplication& application, Appearance appearance);

enum class TextSize { Normal, Large, VeryLarge };
/// Sets how large the whole application writes, at once and for what is made later.
void applyTextSize(QApplication& application, TextSize size);

}  // namespace palimpsest
