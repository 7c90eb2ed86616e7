// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "engine/library/run_row.h"
#include "engine/metrics/metrics.h"

namespace palimpsest {

/// Runs that differ in the seed alone. The numbers are of those that count, as runsThatCount() says, and learned their
/// whole stream; a count of 0: of none.
struct RunFamily {
    std::vector<std::size_t> members;   ///< places in the list that was given
    std::vector<std::size_t> counting;  ///< of them those that the means are of, as far as they have the number
    std::array<Spread, kListedMetrics.size()> spreads;  ///< of each listed metric
};

/// True when the number is that of a whole stream: A_AUC, and the numbers of the end.
bool areaIsFinal(const RunRow& row);
bool endIsFinal(const RunRow& row);
/// The same for the metric at this place among the listed ones.
bool isFinal(const RunRow& row, std::size_t metric);

/// One for each family among these rows, in the order of their first members.
std::vector<RunFamily> familiesOf(const std::vector<RunRowPtr>& rows, const std::vector<std::size_t>& places);

}  // namespace palimpsest
