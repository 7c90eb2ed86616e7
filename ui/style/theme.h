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
    std::array<QColor, 5> series;  ///< of sessions: colour-blind safe (Okabe-Ito, lightened on dark)
    std::array<QColor, 6> runs;    ///< of compared runs: hues that neither sessions nor the accent have

    static const Theme& darkTheme();
    static const Theme& lightTheme();
    /// Theme for the wall of a bright room: black on white and thick lines; widgets/appearance.h adds large type.
    static const Theme& projectorTheme();
    /// The theme a widget is shown in, recognised by its palette. Widgets that paint themselves ask again in
    /// changeEvent(QEvent::PaletteChange).
    template <class Widget>
    static const Theme& of(const Widget* widget) {
        return of(widget->palette());
    }
    static const Theme& of(const QPalette& palette);
};

/// Theme that the window shows; System follows the desktop.
enum class Appearance { System, Dark, Light, Projector };
enum class TextSize { Normal, Large, VeryLarge };

/// Distances in device-independent pixels that all parts of the window share.
namespace spacing {
inline constexpr int kGap = 12;     ///< between panels, and from them to the window's edge
inline constexpr int kMargin = 14;  ///< from a panel's edge to what stands in it
inline constexpr int kRow = 8;      ///< between rows and between controls of a panel
inline constexpr int kClose = 4;    ///< between things that belong together
}  // namespace spacing

}  // namespace palimpsest
