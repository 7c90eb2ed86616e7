// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/seed_band.h"

#include <algorithm>
#include <cmath>

namespace palimpsest {

BandWidth bandWidth(CurveOptions::Band band) {
    return band == CurveOptions::Band::Error ? BandWidth::Error : BandWidth::Deviation;
}

double halfWidth(const Spread& values, BandWidth width) {
    if (width == BandWidth::Deviation || values.count < 2) return values.deviation;
    return values.deviation / std::sqrt(static_cast<double>(values.count));
}

SeedBand seedBand(const std::vector<SeedPoints>& curves, BandWidth width) {
    SeedBand band;
    if (curves.size() < 2) return band;
    const std::size_t length = std::ranges::min_element(curves, {}, &SeedPoints::count)->count;
    std::vector<double> places(curves.size()), values(curves.size());
    for (const std::size_t k : report::averagedEvaluations(length, kMostBandPlaces)) {
        for (std::size_t run = 0; run < curves.size(); ++run) {
            places[run] = curves[run].x(k);
            values[run] = curves[run].y(k);
        }
        const Spread all = spread(values);
        band.x.push_back(spread(places).mean);
        band.mean.push_back(all.mean);
        band.half_width.push_back(halfWidth(all, width));
        band.evaluations.push_back(k);
    }
    return band;
}

SeedBand seedBand(const std::vector<SeedCurve>& curves, BandWidth width) {
    std::vector<SeedPoints> points;
    for (const SeedCurve& curve : curves)
        points.push_back(
            {curve.x.size(), [&](std::size_t i) { return curve.x[i]; }, [&](std::size_t i) { return curve.y[i]; }});
    return seedBand(points, width);
}

}  // namespace palimpsest
