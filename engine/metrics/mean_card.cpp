// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/mean_card.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "engine/metrics/card_words.h"
#include "engine/metrics/metric_catalogue.h"
#include "engine/support/error.h"

namespace palimpsest {
namespace {

Spread spreadOf(const SeedNumbers& numbers) {
    std::vector<double> values;
    for (const SeedNumber& run : numbers.runs) values.push_back(run.value);
    return spread(values);
}

std::string workedMean(const SeedNumbers& numbers, double mean) {
    if (numbers.runs.size() == 1) return cardPercent(mean) + " %";
    std::vector<std::string> terms;
    for (const SeedNumber& run : numbers.runs) terms.push_back(cardPercent(run.value));
    return cardMean(terms, mean);
}

std::string seedsText(const SeedNumbers& numbers) {
    std::vector<std::string> terms;
    for (const SeedNumber& run : numbers.runs)
        terms.push_back("seed " + std::to_string(run.seed) + ": " + cardPercent(run.value) + " %");
    return cardList(terms, ", ");
}

std::string spreadText(const Spread& values, CardSpread spread) {
    if (values.count < 2) return {};
    const std::string deviation = cardPercent(values.deviation);
    if (spread == CardSpread::Deviation) return "± " + deviation + ", the sample standard deviation (divided by N − 1)";
    const double error = values.deviation / std::sqrt(static_cast<double>(values.count));
    return "± " + cardPercent(error) + ", the standard error: the sample standard deviation " + deviation + " / √" +
           std::to_string(values.count);
}

/// A number as it is written, so that the sum of the written ones is right.
double shown(double fraction) {
    return std::round(fraction * 1000) / 1000;
}

/// Differences seed by seed; empty where the two sides have not the same seeds.
std::vector<double> paired(const SeedNumbers& own, const SeedNumbers& other) {
    std::map<std::int64_t, double> beside;
    for (const SeedNumber& run : other.runs) beside[run.seed] = run.value;
    std::vector<double> differences;
    for (const SeedNumber& run : own.runs) {
        const auto found = beside.find(run.seed);
        if (found == beside.end()) return {};
        differences.push_back(run.value - found->second);
    }
    return differences.size() == beside.size() ? differences : std::vector<double>();
}

}  // namespace

MetricCard meanCard(std::string_view key, const SeedNumbers& runs, CardSpread spread) {
    const Metric* metric = findMetric(key);
    if (!metric) throw inputError("There is no number called \"" + std::string(key) + "\".");
    const Spread values = spreadOf(runs);
    MetricSide side;
    side.tag = "mean over seeds, N = " + std::to_string(values.count);
    side.formula = "mean of " + std::to_string(values.count) + " " + metric->symbol;
    side.meaning = metric->meaning;
    side.value = values.mean;
    side.worked = workedMean(runs, values.mean);
    side.details = {seedsText(runs), spreadText(values, spread)};
    std::erase(side.details, std::string());
    return {metric->symbol, metric->title, {}, {std::move(side)}};
}

void addDifference(MetricCard& card, const SeedNumbers& own, const SeedNumbers& other, CardSpread spread,
                   bool comparable) {
    const Spread a = spreadOf(own), b = spreadOf(other);
    MetricSide side;
    side.tag = "beside " + other.name;
    side.value = b.mean;
    if (other.runs.size() > 1) {
        side.formula = "mean of " + std::to_string(b.count) + " " + card.symbol;
        side.worked = workedMean(other, b.mean);
    }
    side.details = {seedsText(other), spreadText(b, spread)};
    if (comparable) {
        side.details.push_back("Difference: " + cardPercent(a.mean) + " − " + cardPercent(b.mean) + " = " +
                               cardPoints(shown(a.mean) - shown(b.mean)) + " points");
        const std::vector<double> differences = paired(own, other);
        std::vector<std::string> terms;
        for (const double difference : differences) terms.push_back(cardPoints(difference));
        const Spread by_seed = palimpsest::spread(differences);
        if (differences.size() > 1)
            side.details.push_back("Seed by seed: " + cardList(terms, ", ") + "; mean " + cardPoints(by_seed.mean) +
                                   " ± " + cardPercent(by_seed.deviation) + " (sample standard deviation)");
        else
            side.meaning = "The two have not the same seeds, so there is no difference seed by seed.";
    } else {
        side.meaning = "It learned another stream: there is no difference to read.";
    }
    std::erase(side.details, std::string());
    card.sides.push_back(std::move(side));
}

}  // namespace palimpsest
