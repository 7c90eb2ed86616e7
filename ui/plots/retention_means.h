// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "engine/metrics/metrics.h"
#include "engine/report/seed_counts.h"

namespace palimpsest {

struct ShownRun;

/// What is left of one session, over runs that differ in nothing but the seed: by session after which it was measured,
/// from 0. As in reports, each entry is the mean over the runs that have it, as fractions; `count` says how many.
using RetentionMean = std::map<std::int64_t, Spread>;

/// Of very many sessions every so manieth has a line, from the first: nobody tells more apart.
std::int64_t retentionStride(const ShownRun& run);

RetentionMean retentionMean(const std::vector<const ShownRun*>& runs, std::int64_t session);
/// Of how many seeds its entries are.
report::SessionSeeds seedsOf(const RetentionMean& mean);

}  // namespace palimpsest
