// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/metrics/metrics.h"
#include "engine/metrics/paired_difference.h"
#include "engine/run/run_events.h"

namespace palimpsest {

/// Numbers of a run as far as they are known. Accuracies are fractions.
struct MetricFacts {
    std::vector<double> anytime;         ///< in order
    std::vector<double> session_ends;    ///< a_t, in order; may be unknown
    RMatrix r;                           ///< a row a session that has ended
    std::optional<std::int64_t> tested;  ///< test images at the end of the last session that has ended
    std::int64_t sessions = 0;           ///< of the stream
    std::int64_t total_samples = 0;
    std::int64_t every_samples = 0;  ///< between two anytime evaluations; 0: none
    bool over = false;               ///< nothing more comes
    bool disjoint_only = false;      ///< in R only disjoint classes count for a session
    Summary summary;                 ///< of a run that has ended; of another one empty
};

/// One definition with its numbers.
struct MetricSide {
    std::string tag;      ///< whose: "paper's text"
    std::string formula;  ///< HTML
    std::string meaning;
    std::optional<double> value;
    /// The formula with its numbers, per cent, long ones shortened: "(31.2 + 44.0 + … + 75.1) / 59 = 70.4 %". Plain
    /// text; empty where the terms are not known.
    std::string worked;
    std::string undefined;  ///< why there is no value; empty where there is one
    std::string counted;    ///< over how many of the sessions, and why not over all; empty where it is over all
    std::vector<std::string> details;  ///< further plain sentences, a line each
};

struct MetricCard {
    std::string symbol, title;
    std::string stage;              ///< "so far", "after 2 of 5 sessions"; empty once the run stands behind the numbers
    std::vector<MetricSide> sides;  ///< the one that was asked for first
};

/// Card of a metric of the catalogue, and of what the other family means by its name. Throws Error(Input) for an
/// unknown key.
MetricCard metricCard(std::string_view key, const MetricFacts& facts);
/// Card of the last point of the curve "anytime" or "retention". Throws Error(Input) for an unknown key.
MetricCard curveCard(std::string_view key, const MetricFacts& facts);

/// A number of one seed, a fraction.
struct SeedNumber {
    std::int64_t seed = 0;
    double value = 0;
};

/// One run, or the runs of a mean, with a number of each.
struct SeedNumbers {
    std::string name;
    std::vector<SeedNumber> runs;
};

/// Evidence for a difference of two sides, seed by seed over the seeds that both have.
PairedEvidence pairedEvidence(const SeedNumbers& own, const SeedNumbers& other);

/// Meaning of the ± behind a mean: sample standard deviation or standard error.
enum class CardSpread { Deviation, Error };

/// Card of a metric of the catalogue over several seeds: the mean with its terms, what each run has, and the ±. Throws
/// Error(Input) for an unknown key; wants at least one run.
MetricCard meanCard(std::string_view key, const SeedNumbers& runs, CardSpread spread);
/// Appends how `own` differs from `other`: the difference of the two means, and where the seeds are the same the mean
/// of the differences seed by seed with its interval and p. Without `comparable` only what the other side is.
void addDifference(MetricCard& card, const SeedNumbers& own, const SeedNumbers& other, CardSpread spread,
                   bool comparable);

}  // namespace palimpsest
