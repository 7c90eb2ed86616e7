// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stream/stream_shades.h"

#include <array>
#include <cmath>

#include "ui/style/theme.h"

namespace palimpsest {
namespace {

constexpr std::size_t kShades = 256;
using Shades = std::array<QRgb, kShades>;

/// A colour on its ground, from the weakest share to the whole.
Shades shadesOf(const QColor& colour, const QColor& ground) {
    Shades shades;
    for (std::size_t i = 0; i < kShades; ++i) {
        const float weight = shadeStrength(static_cast<double>(i) / (kShades - 1));
        const auto mix = [weight](int over, int under) {
            return under + static_cast<int>(std::lround(weight * static_cast<float>(over - under)));
        };
        shades[i] = qRgb(mix(colour.red(), ground.red()), mix(colour.green(), ground.green()),
                         mix(colour.blue(), ground.blue()));
    }
    return shades;
}

}  // namespace

/// Less than proportional, so that the few images of a blurry class outside its session do not vanish.
float shadeStrength(double share) {
    return static_cast<float>(0.2 + 0.8 * std::pow(share, 0.6));
}

QImage shadedPicture(const StreamGrid& grid, const Theme& theme) {
    QImage image(grid.columns, grid.rows, QImage::Format_RGB32);
    image.fill(theme.raised);
    const std::array<Shades, 2> shades{shadesOf(theme.disjoint, theme.raised), shadesOf(theme.blurry, theme.raised)};
    for (int y = 0; y < grid.rows; ++y) {
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(y));
        for (int x = 0; x < grid.columns; ++x)
            if (const StreamGrid::Cell& cell = grid.at(y, x); cell.strength > 0)
                line[x] = shades[cell.blurry][cell.strength - 1U];
    }
    return image;
}

}  // namespace palimpsest
