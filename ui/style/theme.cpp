// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/theme.h"

#include <QPalette>

namespace palimpsest {

const Theme& Theme::darkTheme() {
    static const Theme theme{
        .dark = true,
        .ground = "#16181d",
        .panel = "#1d2027",
        .raised = "#262a33",
        .line = "#2b2f39",
        .text = "#e7eaf0",
        .quiet = "#9aa3b2",
        .accent = "#4ea1ff",
        .on_accent = "#07121f",
        .disjoint = "#e69f00",
        .blurry = "#56b4e9",
        .better = "#3fb68b",
        .attention = "#e6a23c",
        .worse = "#f2777f",
        .series = {{"#56b4e9", "#f28e5c", "#3fc79a", "#e29cc4", "#e0c14a"}},
        .runs = {{"#a993f2", "#adc05a", "#ec6f86", "#cba680", "#6cb8bd", "#d684e4"}},
    };
    return theme;
}

const Theme& Theme::lightTheme() {
    static const Theme theme{
        .dark = false,
        .ground = "#f6f7f9",
        .panel = "#ffffff",
        .raised = "#eef1f5",
        .line = "#dfe3e8",
        .text = "#1b1f27",
        .quiet = "#5b6472",
        .accent = "#0b6bcb",
        .on_accent = "#ffffff",
        .disjoint = "#e69f00",
        .blurry = "#56b4e9",
        // Darker than on the dark ground, so that a signed number stays readable on white.
        .better = "#0c7a55",
        .attention = "#9a5b00",
        .worse = "#bf2f3b",
        .series = {{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#8a6d00"}},
        .runs = {{"#5b3fb5", "#5f7a12", "#b3243f", "#7a4a21", "#1f7379", "#9b2fae"}},
    };
    return theme;
}

const Theme& Theme::projectorTheme() {
    static const Theme theme{
        .dark = false,
        .weight = 1.6,
        .ground = "#ffffff",
        .panel = "#ffffff",
        .raised = "#e3e8ef",
        // A projector washes out faint colours: lines and quiet text are far darker than on a screen.
        .line = "#868e99",
        .text = "#000000",
        .quiet = "#33383f",
        .accent = "#0047a8",
        .on_accent = "#ffffff",
        .disjoint = "#d98a00",
        .blurry = "#2f9bde",
        .better = "#00643f",
        .attention = "#7a4300",
        .worse = "#a8001c",
        .series = {{"#005fae", "#b84300", "#00704d", "#a2357a", "#5c4800"}},
        .runs = {{"#47309a", "#4a5f0c", "#931a33", "#63391a", "#155a60", "#7d2190"}},
    };
    return theme;
}

const Theme& Theme::of(const QPalette& palette) {
    // The link colour is each theme's accent and, unlike the window's and the text's, no style rule changes it.
    const QColor accent = palette.color(QPalette::Link);
    for (const Theme* theme : {&darkTheme(), &projectorTheme()})
        if (theme->accent == accent) return *theme;
    return lightTheme();
}

}  // namespace palimpsest
