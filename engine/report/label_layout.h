// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace palimpsest::report {

/// A label that wants to stand beside the end of its curve.
struct LabelRequest {
    double centre = 0;
    double height = 0;
    int rank = 0;  ///< where there is not room for all, the highest ranks go first
};

/// Centres of the labels between `low` and `high`, at least `gap` apart, in the order of the requests' centres and with
/// the least sum of squared displacements (isotonic regression by pooling of neighbours). A label without room gets
/// none.
std::vector<std::optional<double>> placeLabels(std::span<const LabelRequest> requests, double low, double high,
                                               double gap);

}  // namespace palimpsest::report
