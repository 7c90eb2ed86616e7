// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "engine/metrics/metrics.h"
#include "engine/report/averages.h"
#include "ui/state/curve_options.h"

namespace palimpsest {

using report::SeedCurve;

/// About so many places of a band at most, however many evaluations there are.
inline constexpr std::size_t kMostBandPlaces = 4000;

/// Mean of several curves and how far they lie around it, evaluation by evaluation as in reports.
struct SeedBand {
    std::vector<double> x, mean, half_width;
    std::vector<std::size_t> evaluations;  ///< of each curve that a place was made from, from 0
};

enum class BandWidth {
    Deviation,  ///< sample standard deviation, as in reports
    Error,      ///< standard error of the mean: the same / sqrt(N)
};

/// Of the band that a person chose.
BandWidth bandWidth(CurveOptions::Band band);
double halfWidth(const Spread& values, BandWidth width);

/// A curve that is asked for its points one by one, since a band takes some of very many.
struct SeedPoints {
    std::size_t count = 0;
    std::function<double(std::size_t)> x, y;
};

/// As far as the shortest curve goes, every so manieth evaluation when there are very many. Empty with fewer than two
/// curves.
SeedBand seedBand(const std::vector<SeedPoints>& curves, BandWidth width);
SeedBand seedBand(const std::vector<SeedCurve>& curves, BandWidth width);

}  // namespace palimpsest
