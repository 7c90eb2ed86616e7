// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/colours.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace palimpsest {
namespace {

/// Relative luminance of sRGB, WCAG 2.1.
double luminance(const QColor& colour) {
    const auto linear = [](double part) {
        return part <= 0.03928 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
}

constexpr int kHeatSteps = 256;
struct Stop {
    double red, green, blue;
};
constexpr std::array<Stop, 9> kStops{{{0, 34, 78},
                                      {18, 53, 112},
                                      {59, 73, 108},
                                      {87, 93, 109},
                                      {112, 113, 115},
                                      {138, 134, 120},
                                      {165, 156, 116},
                                      {195, 179, 105},
                                      {254, 232, 56}}};

std::array<QRgb, kHeatSteps> makeHeatTable() {
    std::array<QRgb, kHeatSteps> table{};
    for (int i = 0; i < kHeatSteps; ++i) {
        const double at = static_cast<double>(i) / (kHeatSteps - 1) * (kStops.size() - 1);
        const auto low = std::min<std::size_t>(static_cast<std::size_t>(at), kStops.size() - 2);
        const double part = at - static_cast<double>(low);
        const auto mix = [&](double a, double b) { return static_cast<int>(std::lround(a + (b - a) * part)); };
        table[static_cast<std::size_t>(i)] =
            qRgb(mix(kStops[low].red, kStops[low + 1].red), mix(kStops[low].green, kStops[low + 1].green),
                 mix(kStops[low].blue, kStops[low + 1].blue));
    }
    return table;
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

QRgb heatColour(double share) {
    static const std::array<QRgb, kHeatSteps> table = makeHeatTable();
    return table[static_cast<std::size_t>(std::lround(std::clamp(share, 0.0, 1.0) * (kHeatSteps - 1)))];
}

QRgb twoSidedColour(double share) {
    struct Stop {
        double red, green, blue;
    };
    constexpr std::array<Stop, 5> kSides = {
        {{236, 120, 208}, {164, 58, 140}, {92, 97, 108}, {24, 128, 122}, {92, 220, 204}}};
    const double root = std::copysign(std::sqrt(std::min(1.0, std::abs(share))), share);
    const double at = (root + 1) / 2 * (kSides.size() - 1);
    const auto low = std::min<std::size_t>(static_cast<std::size_t>(at), kSides.size() - 2);
    const double part = at - static_cast<double>(low);
    const auto mix = [part](double a, double b) { return static_cast<int>(std::lround(a + (b - a) * part)); };
    const Stop &from = kSides[low], &to = kSides[low + 1];
    return qRgb(mix(from.red, to.red), mix(from.green, to.green), mix(from.blue, to.blue));
}

QColor textOnHeat(double share) {
    const QColor ground(heatColour(share));
    return contrast(ground, Qt::black) > contrast(ground, Qt::white) ? Qt::black : Qt::white;
}

}  // namespace palimpsest
