// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/contrast.h"

#include <algorithm>
#include <cmath>

namespace palimpsest {
namespace {

double luminance(const QColor& colour) {
    const auto linear = [](double part) {
        return part <= 0.03928 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
}

}  // namespace

double contrast(const QColor& a, const QColor& b) {
    const auto [dark, bright] = std::minmax({luminance(a), luminance(b)});
    return (bright + 0.05) / (dark + 0.05);
}

QColor legible(const QColor& colour, const QColor& ground, double least) {
    constexpr float kStep = 0.01F;
    if (!colour.isValid() || contrast(colour, ground) >= least) return colour;
    const float way = luminance(ground) > 0.18 ? -kStep : kStep;  // to the end that is further away
    QColor nearer = colour.toHsl();
    while (contrast(nearer, ground) < least) {
        const float lightness = nearer.lightnessF() + way;
        if (lightness < 0 || lightness > 1) break;
        nearer.setHslF(nearer.hslHueF(), nearer.hslSaturationF(), lightness, nearer.alphaF());
    }
    return nearer.toRgb();
}

}  // namespace palimpsest
