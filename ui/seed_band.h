// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

namespace palimpsest {

/// x ascending.
struct SeedCurve {
    std::vector<double> x, y;
};

/// Mean of several curves, and how far they lie around it, wherever all of them reach.
struct SeedBand {
    std::vector<double> x, mean, half_width;
};

enum class BandWidth {
    Deviation,  ///< population standard deviation, as in the tables (numpy's default)
    Error,      ///< standard error of the mean: sample standard deviation / sqrt(N)
};

/// At the places of the first curve, every so manieth when there are very many; the others are interpolated between
/// their points. Empty with fewer than two curves.
SeedBand seedBand(const std::vector<SeedCurve>& curves, BandWidth width);

}  // namespace palimpsest
