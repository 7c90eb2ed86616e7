// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QPalette>
#include <QString>
#include <array>

class QApplication;
class QWidget;

namespace palimpsest {

/// Colour tokens of one appearance. Disjoint is orange and blurry is sky blue, everywhere.
struct Theme {
    bool dark = true;
    double weight = 1;  ///< of lines and markers in figures; more where they are seen from afar
    QColor ground, panel, raised, line, text, quiet, accent, on_accent, disjoint, blurry, better, attention, worse;
    std::array<QColor, 5> series;  ///< colour-blind safe (Okabe-Ito, lightened on dark)

    static const Theme& darkTheme();
    static const Theme& lightTheme();
    /// For the wall of a bright room: black on white, thick lines, and large type, which applyAppearance() sees to.
    static const Theme& projectorTheme();
    /// The theme a widget is shown in, told from its palette. Widgets that paint themselves ask again in
    /// changeEvent(QEvent::PaletteChange).
    static const Theme& of(const QWidget* widget);
    static const Theme& of(const QPalette& palette);
};

enum class Appearance { System, Dark, Light, Projector };
/// Sets palette, style sheet, font (Inter where installed) and size of type of the application.
void applyAppearance(QApplication& application, Appearance appearance);

/// The rules that all windows are dressed by; empty before applyAppearance().
const QString& appearanceSheet();

enum class TextSize { Normal, Large, VeryLarge };
/// Sets how large the whole application writes, at once and for what is made later. For a projector each size is
/// larger.
void applyTextSize(QApplication& application, TextSize size);

}  // namespace palimpsest
