// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/theme.h"

#include <QPalette>

namespace palimpsest {
namespace {

Theme makeDark() {
    Theme t;
    t.dark = true;
    t.ground = QColor("#16181d");
    t.panel = QColor("#1d2027");
    t.raised = QColor("#262a33");
    t.line = QColor("#2b2f39");
    t.text = QColor("#e7eaf0");
    t.quiet = QColor("#9aa3b2");
    t.accent = QColor("#4ea1ff");
    t.on_accent = QColor("#07121f");
    t.disjoint = QColor("#e69f00");
    t.blurry = QColor("#56b4e9");
    t.better = QColor("#3fb68b");
    t.attention = QColor("#e6a23c");
    t.worse = QColor("#f2777f");
    t.series = {QColor("#56b4e9"), QColor("#f28e5c"), QColor("#3fc79a"), QColor("#e29cc4"), QColor("#e0c14a")};
    return t;
}

Theme makeLight() {
    Theme t;
    t.dark = false;
    t.ground = QColor("#f6f7f9");
    t.panel = QColor("#ffffff");
    t.raised = QColor("#eef1f5");
    t.line = QColor("#dfe3e8");
    t.text = QColor("#1b1f27");
    t.quiet = QColor("#5b6472");
    t.accent = QColor("#0b6bcb");
    t.on_accent = QColor("#ffffff");
    t.disjoint = QColor("#e69f00");
    t.blurry = QColor("#56b4e9");
    // Darker than on the dark ground, so that a signed number stays readable on white.
    t.better = QColor("#0c7a55");
    t.attention = QColor("#9a5b00");
    t.worse = QColor("#bf2f3b");
    t.series = {QColor("#0072b2"), QColor("#d55e00"), QColor("#009e73"), QColor("#cc79a7"), QColor("#8a6d00")};
    return t;
}

Theme makeProjector() {
    Theme t;
    t.dark = false;
    t.weight = 1.6;
    t.ground = QColor("#ffffff");
    t.panel = QColor("#ffffff");
    t.raised = QColor("#e3e8ef");
    // A projector washes out faint colours: lines and quiet text are far darker than on a screen.
    t.line = QColor("#868e99");
    t.text = QColor("#000000");
    t.quiet = QColor("#33383f");
    t.accent = QColor("#0047a8");
    t.on_accent = QColor("#ffffff");
    t.disjoint = QColor("#d98a00");
    t.blurry = QColor("#2f9bde");
    t.better = QColor("#00643f");
    t.attention = QColor("#7a4300");
    t.worse = QColor("#a8001c");
    t.series = {QColor("#005fae"), QColor("#b84300"), QColor("#00704d"), QColor("#a2357a"), QColor("#5c4800")};
    return t;
}

}  // namespace

const Theme& Theme::darkTheme() {
    static const Theme theme = makeDark();
    return theme;
}

const Theme& Theme::lightTheme() {
    static const Theme theme = makeLight();
    return theme;
}

const Theme& Theme::projectorTheme() {
    static const Theme theme = makeProjector();
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
