// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QPalette>
#include <QString>
#include <array>

namespace palimpsest {

/// Colour tokens of one appearance. Disjoint is orange and blurry is sky blue, everywhere.
struct Theme {
    bool dark = true;
    double weight = 1;  ///< of lines and markers in figures; more where they are seen from afar
    QColor ground, panel, raised, line, text, quiet, accent, on_accent, disjoint, blurry, better, attention, worse;
    std::array<QColor, 5> series;  ///< colour-blind safe (Okabe-Ito, lightened on dark)

    static const Theme& darkTheme();
    static const Theme& lightTheme();
    /// For the wall of a bright room: black on white, thick lines, and large type, which widgets/appearance.h sees to.
    static const Theme& projectorTheme();
    /// The theme a widget is shown in, told from its palette. Widgets that paint themselves ask again in
    /// changeEvent(QEvent::PaletteChange).
    template <class Widget>
    static const Theme& of(const Widget* widget) {
        return of(widget->palette());
    }
    static const Theme& of(const QPalette& palette);
};

/// Which of them the window shows; System follows the desktop.
enum class Appearance { System, Dark, Light, Projector };
enum class TextSize { Normal, Large, VeryLarge };

}  // namespace palimpsest
