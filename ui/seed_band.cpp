// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/seed_band.h"

#include <cmath>

namespace palimpsest {

BandWidth bandWidth(CurveOptions::Band band) {
    return band == CurveOptions::Band::Error ? BandWidth::Error : BandWidth::Deviation;
}

double halfWidth(const Spread& values, BandWidth width) {
    if (width == BandWidth::Deviation || values.count < 2) return values.deviation;
    return values.deviation / std::sqrt(static_cast<double>(values.count));
}

SeedBand seedBand(const std::vector<SeedCurve>& curves, BandWidth width) {
    SeedBand band;
    if (curves.size() < 2) return band;
    for (const report::AveragePoint& point : report::averageCurves(curves, kMostBandPlaces)) {
        band.x.push_back(point.samples_seen);
        band.mean.push_back(point.accuracy.mean);
        band.half_width.push_back(halfWidth(point.accuracy, width));
        band.evaluations.push_back(point.evaluation);
    }
    return band;
}

}  // namespace palimpsest
