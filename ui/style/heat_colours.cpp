// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/heat_colours.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace palimpsest {
namespace {

constexpr int kSteps = 256;
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

std::array<QRgb, kSteps> makeTable() {
    std::array<QRgb, kSteps> table{};
    for (int i = 0; i < kSteps; ++i) {
        const double at = static_cast<double>(i) / (kSteps - 1) * (kStops.size() - 1);
        const auto low = std::min<std::size_t>(static_cast<std::size_t>(at), kStops.size() - 2);
        const double part = at - static_cast<double>(low);
        const auto mix = [&](double a, double b) { return static_cast<int>(std::lround(a + (b - a) * part)); };
        table[static_cast<std::size_t>(i)] =
            qRgb(mix(kStops[low].red, kStops[low + 1].red), mix(kStops[low].green, kStops[low + 1].green),
                 mix(kStops[low].blue, kStops[low + 1].blue));
    }
    return table;
}

/// Relative luminance of sRGB, WCAG 2.1.
double heatLuminance(QRgb colour) {
    const auto linear = [](int value) {
        const double part = value / 255.0;
        return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(qRed(colour)) + 0.7152 * linear(qGreen(colour)) + 0.0722 * linear(qBlue(colour));
}

}  // namespace

QRgb heatColour(double share) {
    static const std::array<QRgb, kSteps> table = makeTable();
    return table[static_cast<std::size_t>(std::lround(std::clamp(share, 0.0, 1.0) * (kSteps - 1)))];
}

QColor textOnHeat(double share) {
    // Contrast is (lighter + 0.05) / (darker + 0.05); black on the ground beats white on it from here on.
    const double ground = heatLuminance(heatColour(share)) + 0.05;
    return ground / 0.05 > 1.05 / ground ? QColor(Qt::black) : QColor(Qt::white);
}

}  // namespace palimpsest
