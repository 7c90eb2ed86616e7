// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/metrics/metrics.h"

namespace palimpsest {

// Evidence for a difference between two methods that were run with the same seeds. Another seed is another stream, so
// numbers are subtracted seed by seed, and only the differences are judged.

/// Differences own - other over the seeds that both have, in ascending order of the seeds; those that are not finite
/// are left out.
std::vector<double> pairedDifferences(const std::map<std::int64_t, double>& own,
                                      const std::map<std::int64_t, double>& other);

/// Probability that |t| of Student's distribution with so many degrees of freedom (at least one) stays below `t`
/// (Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.3 and 26.7.4).
double studentWithin(double t, std::int64_t degrees);
/// Quantile of Student's distribution: the t that a value stays below with this probability, 0 < probability < 1. It is
/// found by bisection of studentWithin().
double studentQuantile(double probability, std::int64_t degrees);

/// The number of seeds beyond which seedsNeeded() gives up.
inline constexpr std::int64_t kMostSeeds = 1000;

/// Pairs below which no difference counts as evident: of two, the interval rests on one degree of freedom, and its
/// width on the luck of a single deviation.
inline constexpr std::int64_t kLeastPairs = 3;

/// Mean difference with its uncertainty; see pairedEvidence().
struct PairedEvidence {
    Spread difference;
    /// Half of the 95 % confidence interval, t_{0.975, n-1} s / √n (Student, 1908); absent below two pairs.
    std::optional<double> half_width;
    /// How many seeds it would about take until the difference is distinguishable; absent where it is so already, where
    /// a single pair tells nothing of the deviation, or where the mean is 0. More than kMostSeeds: too many to count.
    std::optional<std::int64_t> seeds_needed;

    double low() const { return difference.mean - half_width.value_or(0); }
    double high() const { return difference.mean + half_width.value_or(0); }
    /// True where there are pairs enough and the interval excludes 0: only then is one side called better.
    bool distinguishable() const { return difference.count >= kLeastPairs && half_width && (low() > 0 || high() < 0); }
};

/// Values that are not finite are left out. The interval assumes differences that are about normally distributed.
PairedEvidence pairedEvidence(std::span<const double> differences);

/// The smallest n with t_{0.975, n-1} deviation / √n < |mean|: an estimate, since with more seeds the mean and the
/// deviation come out differently; if they are just so, every second sweep of n seeds still misses the difference.
/// At most kMostSeeds + 1; `mean` is not 0.
std::int64_t seedsNeeded(double mean, double deviation);

/// Two-sided p of the sign-flip test (Fisher, The Design of Experiments, 1935, section 21): the share of all 2^n
/// patterns of signs whose sum of differences is at least as far from 0 as the observed one. It assumes only that each
/// difference could as well have had the other sign. Above 20 differences, a sample of 100,000 patterns that is always
/// the same, with p = (1 + hits) / (1 + 100,000) (Phipson and Smyth, 2010). Values that are not finite are left out;
/// absent below two differences. With n differences, p is never below 2 / 2^n.
std::optional<double> signFlipTest(std::span<const double> differences);

/// p-values corrected for being several (Holm, A simple sequentially rejective multiple test procedure, 1979), each in
/// the place of its own; absent ones do not count.
std::vector<std::optional<double>> holmCorrected(std::span<const std::optional<double>> p);

/// Words for the evidence, without a full stop: "one run each: no evidence", "two seeds are too few; about 5 would be
/// needed", "not distinguishable with 5 seeds; about 12 would be needed", "the 95 % interval excludes 0 with 5 seeds".
std::string evidenceText(const PairedEvidence& evidence);

}  // namespace palimpsest
