// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/paired_difference.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <numbers>
#include <numeric>

#include "engine/support/format.h"
#include "engine/support/random.h"

namespace palimpsest {
namespace {

constexpr double kConfidence = 0.95;
constexpr std::size_t kMostExact = 20;
constexpr int kSample = 100'000;
constexpr std::uint64_t kSampleSeed = 1;

std::vector<double> finiteOnes(std::span<const double> values) {
    std::vector<double> finite;
    std::copy_if(values.begin(), values.end(), std::back_inserter(finite), [](double x) { return std::isfinite(x); });
    return finite;
}

/// studentWithin() by the angle atan(t / √degrees), which makes it a finite sum.
double withinAngle(double angle, std::int64_t degrees) {
    const double cosine = std::cos(angle), square = cosine * cosine;
    const bool odd = degrees % 2 == 1;
    double term = odd ? cosine : 1, sum = degrees > 1 ? term : 0;
    for (std::int64_t k = odd ? 3 : 2; k < degrees; k += 2) {
        term *= square * static_cast<double>(k - 1) / static_cast<double>(k);
        sum += term;
    }
    return odd ? 2 / std::numbers::pi * (angle + std::sin(angle) * sum) : std::sin(angle) * sum;
}

double halfWidth(double deviation, std::int64_t count) {
    return studentQuantile((1 + kConfidence) / 2, count - 1) * deviation / std::sqrt(static_cast<double>(count));
}

/// Patterns of signs of the differences from `place` on that lead from `sum` to at least `bound`, on either side.
std::int64_t reaching(std::span<const double> differences, std::size_t place, double sum, double bound) {
    if (place == differences.size()) return std::abs(sum) >= bound ? 1 : 0;
    return reaching(differences, place + 1, sum + differences[place], bound) +
           reaching(differences, place + 1, sum - differences[place], bound);
}

double sampledShare(std::span<const double> differences, double bound) {
    Random random(kSampleSeed);
    std::int64_t hits = 0;
    for (int draw = 0; draw < kSample; ++draw) {
        double sum = 0;
        std::uint64_t signs = 0;
        for (std::size_t i = 0; i < differences.size(); ++i, signs >>= 1) {
            if (i % 64 == 0) signs = random.longWord();
            sum += (signs & 1) == 0 ? differences[i] : -differences[i];
        }
        if (std::abs(sum) >= bound) ++hits;
    }
    return static_cast<double>(1 + hits) / (1 + kSample);
}

}  // namespace

std::vector<double> pairedDifferences(const std::map<std::int64_t, double>& own,
                                      const std::map<std::int64_t, double>& other) {
    std::vector<double> differences;
    for (const auto& [seed, value] : own)
        if (const auto beside = other.find(seed); beside != other.end()) differences.push_back(value - beside->second);
    return finiteOnes(differences);
}

double studentWithin(double t, std::int64_t degrees) {
    return withinAngle(std::atan(t / std::sqrt(static_cast<double>(degrees))), degrees);
}

double studentQuantile(double probability, std::int64_t degrees) {
    if (probability < 0.5) return -studentQuantile(1 - probability, degrees);
    const double within = 2 * probability - 1;
    double low = 0, high = std::numbers::pi / 2;
    constexpr int kHalvings = 60;  // more than a double has digits
    for (int halving = 0; halving < kHalvings; ++halving) {
        const double middle = (low + high) / 2;
        (withinAngle(middle, degrees) < within ? low : high) = middle;
    }
    return std::sqrt(static_cast<double>(degrees)) * std::tan((low + high) / 2);
}

PairedEvidence pairedEvidence(std::span<const double> differences) {
    PairedEvidence evidence{spread(finiteOnes(differences)), {}, {}};
    const Spread& found = evidence.difference;
    if (found.count < 2) return evidence;
    evidence.half_width = halfWidth(found.deviation, found.count);
    if (!evidence.distinguishable() && found.mean != 0)
        evidence.seeds_needed = std::max(found.count + 1, seedsNeeded(found.mean, found.deviation));
    return evidence;
}

std::int64_t seedsNeeded(double mean, double deviation) {
    // A normal distribution would need so many, Student's a few more.
    const double ratio = deviation / std::abs(mean);
    const double least = std::pow(1.959 * ratio, 2);
    if (!(least < static_cast<double>(kMostSeeds))) return kMostSeeds + 1;
    std::int64_t seeds = std::max<std::int64_t>(2, static_cast<std::int64_t>(least));
    while (seeds <= kMostSeeds && halfWidth(deviation, seeds) >= std::abs(mean)) ++seeds;
    return seeds;
}

std::optional<double> signFlipTest(std::span<const double> differences) {
    const std::vector<double> finite = finiteOnes(differences);
    if (finite.size() < 2) return std::nullopt;
    const double observed = std::abs(std::accumulate(finite.begin(), finite.end(), 0.0));
    double most = 0;
    for (const double difference : finite) most += std::abs(difference);
    // Sums that are equal but for rounding count as equal.
    const double bound = observed - 1e-9 * most;
    if (finite.size() > kMostExact) return sampledShare(finite, bound);
    // The other half of the patterns mirrors this one.
    const auto patterns = static_cast<double>(std::int64_t{1} << (finite.size() - 1));
    return static_cast<double>(reaching(finite, 1, finite.front(), bound)) / patterns;
}

std::vector<std::optional<double>> holmCorrected(std::span<const std::optional<double>> p) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < p.size(); ++i)
        if (p[i]) order.push_back(i);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return *p[a] < *p[b]; });
    std::vector<std::optional<double>> corrected(p.size());
    double largest = 0;
    for (std::size_t rank = 0; rank < order.size(); ++rank) {
        largest = std::max(largest, static_cast<double>(order.size() - rank) * *p[order[rank]]);
        corrected[order[rank]] = std::min(1.0, largest);
    }
    return corrected;
}

std::string evidenceText(const PairedEvidence& evidence) {
    const std::int64_t pairs = evidence.difference.count;
    if (pairs == 0) return "no seed in common: no evidence";
    if (pairs == 1) return "one run each: no evidence";
    const std::string seeds = counted(pairs, "seed", "seeds");
    if (evidence.distinguishable()) return "the 95 % interval excludes 0 with " + seeds;
    const std::string verdict =
        pairs < kLeastPairs ? std::string("two seeds are too few") : "not distinguishable with " + seeds;
    if (!evidence.seeds_needed) return verdict;
    const bool countless = *evidence.seeds_needed > kMostSeeds;
    return verdict + "; " + (countless ? "more than " : "about ") +
           grouped(countless ? kMostSeeds : *evidence.seeds_needed) + " would be needed";
}

}  // namespace palimpsest
