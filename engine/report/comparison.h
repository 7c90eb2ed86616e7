// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/metrics/metric_catalogue.h"
#include "engine/metrics/paired_difference.h"

namespace palimpsest::report {

/// One number of a row beside the baseline's, seed by seed: over the seeds that both have.
struct Comparison {
    PairedEvidence evidence;
    std::optional<double> p;       ///< see signFlipTest()
    std::optional<double> p_holm;  ///< the same, corrected for all comparisons of a table
};

Comparison compared(const std::map<std::int64_t, double>& own, const std::map<std::int64_t, double>& baseline);
/// Fills in `p_holm`; wants all comparisons of a table.
void correctForAll(const std::vector<Comparison*>& comparisons);

/// "[−0.3; +20.5]" in percentage points; "–" without an interval.
std::string intervalText(const PairedEvidence& evidence);
/// "0.063", "< 0.001"; "–" without one.
std::string pText(const std::optional<double>& p);
/// "better" or "worse" where the interval over three seeds or more excludes 0, else evidenceText().
std::string findingText(const Metric& metric, const PairedEvidence& evidence);
/// How interval, p and correction of a table with so many comparisons are to be read.
std::string evidenceCaption(std::size_t comparisons);

}  // namespace palimpsest::report
