// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/metrics/metric_card.h"

namespace palimpsest {

/// A number of one seed, a fraction.
struct SeedNumber {
    std::int64_t seed = 0;
    double value = 0;
};

/// A run, or those whose mean it is, with a number of each.
struct SeedNumbers {
    std::string name;
    std::vector<SeedNumber> runs;
};

/// How a mean is given its ±.
enum class CardSpread { Deviation, Error };

/// Card of a metric of the catalogue over several seeds: the mean with its terms, what each run has, and the ±. Throws
/// Error(Input) for an unknown key; wants at least one run.
MetricCard meanCard(std::string_view key, const SeedNumbers& runs, CardSpread spread);
/// Appends how `own` differs from `other`: the difference of the two means, and where the seeds are the same the mean
/// of the differences seed by seed. Without `comparable` only what the other side is.
void addDifference(MetricCard& card, const SeedNumbers& own, const SeedNumbers& other, CardSpread spread,
                   bool comparable);

}  // namespace palimpsest
