// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/metric_card.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "engine/config/option_table.h"
#include "engine/metrics/metric_catalogue.h"
#include "engine/support/error.h"
#include "engine/support/format.h"

namespace palimpsest {
namespace {

using Terms = std::vector<std::string>;

/// "71.2" of 0.712, with a true minus sign.
std::string cardPercent(double fraction) {
    const std::string text = perCent(fraction);
    return text.starts_with('-') ? "−" + text.substr(1) : text;
}

/// Joins all terms of a short list, else its beginning and its end: "31.2 + 44.0 + 50.1 + … + 75.1".
std::string cardList(const Terms& terms, const char* sign) {
    constexpr std::size_t kMost = 5, kFirst = 3;
    std::string text;
    for (std::size_t i = 0; i < terms.size(); ++i) {
        const bool left_out = terms.size() > kMost && i >= kFirst && i + 1 < terms.size();
        if (left_out && i > kFirst) continue;
        text += (text.empty() ? "" : sign) + (left_out ? "…" : terms[i]);
    }
    return text;
}

/// "(31.2 + 44.0) / 2 = 37.6 %".
std::string cardMean(const Terms& terms, double value) {
    const std::string sum = cardList(terms, " + ");
    return (terms.size() > 1 ? "(" + sum + ")" : sum) + " / " + std::to_string(terms.size()) + " = " +
           cardPercent(value) + " %";
}

std::string result(double value) {
    return " = " + cardPercent(value) + " %";
}

Terms percents(const std::vector<double>& values) {
    Terms terms;
    for (const double value : values) terms.push_back(cardPercent(value));
    return terms;
}

/// The terms of the mean over sessions: R[T,j], or the best minus it.
Terms rowTerms(const RMatrix& r, bool drops) {
    Terms terms;
    for (std::size_t j = 0; j < r.back().size(); ++j) {
        if (!r.back()[j]) continue;
        double best = *r.back()[j];
        for (const auto& row : r)
            if (j < row.size() && row[j]) best = std::max(best, *row[j]);
        terms.push_back(drops ? "(" + cardPercent(best) + " − " + cardPercent(*r.back()[j]) + ")"
                              : cardPercent(*r.back()[j]));
    }
    return terms;
}

std::int64_t ended(const MetricFacts& facts) {
    return std::max<std::int64_t>({std::ssize(facts.r), std::ssize(facts.session_ends), facts.summary.sessions_ended});
}

std::optional<double> computed(const Metric& metric, const MetricFacts& facts) {
    const std::string_view key = metric.key;
    if (key == "a_auc") return areaUnderCurve(facts.anytime);
    if (key == "a_last") return lastAccuracy(facts.r);
    if (key == "f_last") return ended(facts) > 1 ? lastForgetting(facts.r) : std::nullopt;
    if (key == "a_avg") return averageAccuracy(facts.session_ends);
    if (key == "a_last_overall" && !facts.session_ends.empty()) return facts.session_ends.back();
    return std::nullopt;
}

/// The formula with its numbers; empty where they are not known.
std::string worked(const Metric& metric, const MetricFacts& facts, double value) {
    const std::string_view key = metric.key;
    if (key == "a_auc" && !facts.anytime.empty()) return cardMean(percents(facts.anytime), value);
    const bool drops = key == "f_last";
    if ((drops || key == "a_last") && !facts.r.empty()) return cardMean(rowTerms(facts.r, drops), value);
    // An end at which nothing could be tested counts in the number, but its term is not known.
    if (key == "a_avg" && !facts.session_ends.empty() && std::ssize(facts.session_ends) == ended(facts))
        return cardMean(percents(facts.session_ends), value);
    if (key == "a_last_overall" && facts.tested && *facts.tested > 0)
        return grouped(std::llround(value * static_cast<double>(*facts.tested))) + " / " + grouped(*facts.tested) +
               result(value);
    return {};
}

/// Columns without an entry in the last row of R, from 0.
std::vector<std::size_t> leftOut(const RMatrix& r) {
    std::vector<std::size_t> sessions;
    for (std::size_t j = 0; j < r.size(); ++j)
        if (j >= r.back().size() || !r.back()[j]) sessions.push_back(j);
    return sessions;
}

/// Number of sessions that the paper's mean is taken over; the code's is not taken over sessions, which the text says.
std::string countedText(const Metric& metric, const MetricFacts& facts) {
    const std::string_view key = metric.key;
    const std::vector<std::size_t> missing = leftOut(facts.r);
    if (missing.empty()) return {};
    if (key == "a_last_overall") return "No session is left out here: it is divided by the number of test images.";
    if (key == "f_last_classwise") return "No session is left out here: it is divided by the number of classes.";
    if (key != "a_last" && key != "f_last") return {};
    const bool whole = std::ssize(facts.r) == facts.sessions;
    return "Over " + grouped(std::ssize(facts.r) - std::ssize(missing)) + " of " +
           counted(std::ssize(facts.r), "session", "sessions") + (whole ? "" : " that have ended") + "; " +
           (facts.disjoint_only ? sessionList(missing) + " brought no disjoint class to test."
                                : "in " + sessionList(missing) + " no class to test came for the first time.");
}

/// Reason why the run has no such number, from the run where it is known, else from the definition.
std::string undefined(const Metric& metric, const MetricFacts& facts) {
    if (metric.family == MetricFamily::Reference) return metric.undefined;
    const std::string_view key = metric.key;
    const std::int64_t sessions = ended(facts);
    if (key == "a_auc") {
        if (facts.every_samples == 0)
            return inTitles("evaluation.every_samples is 0, so nothing is evaluated on the way.");
        const std::string every = grouped(facts.every_samples) + " images";
        if (!facts.over && facts.every_samples <= facts.total_samples)
            return "The first point comes after " + every + ".";
        if (facts.total_samples <= facts.every_samples)
            return "The stream has only " + grouped(facts.total_samples) + " images, and it is evaluated every " +
                   every + ".";
        return "The run ended before it was evaluated on the way, which it is every " + every + ".";
    }
    if (sessions == 0)
        return facts.over ? "The run ended before a session did." : "No session has ended yet; it is known then.";
    const bool forgetting = key == "f_last" || key == "f_last_classwise" || key == "bwt_last";
    if (forgetting && sessions == 1 && facts.sessions > 1)
        return "Only 1 of " + grouped(facts.sessions) +
               " sessions has ended: what was measured once cannot have been forgotten.";
    if (forgetting && sessions == 1) return metric.undefined;
    if (key == "f_last_classwise" || key == "bwt_last")
        return facts.over ? key == "bwt_last" ? "No class was ever answered rightly."
                                              : "No class was answered rightly before the last session."
                          : "Known once the run has ended: it needs every class at every session's end.";
    return metric.undefined;
}

MetricSide sideOf(const Metric& metric, const MetricFacts& facts) {
    MetricSide side{toText(metric.family), metric.formula, metric.meaning, facts.summary.*metric.value, {}, {}, {}, {}};
    if (!side.value) side.value = computed(metric, facts);
    if (!side.value) {
        side.undefined = undefined(metric, facts);
        return side;
    }
    side.worked = worked(metric, facts, *side.value);
    side.counted = countedText(metric, facts);
    return side;
}

std::string stageOf(bool on_the_way, const MetricFacts& facts) {
    if (ended(facts) >= facts.sessions && facts.over) return {};
    if (on_the_way) return facts.over ? "as far as the run went" : "so far";
    return ended(facts) == 0
               ? ""
               : "after " + grouped(ended(facts)) + " of " + counted(facts.sessions, "session", "sessions");
}

Spread spreadOf(const SeedNumbers& numbers) {
    std::vector<double> values;
    for (const SeedNumber& run : numbers.runs) values.push_back(run.value);
    return spread(values);
}

std::string workedMean(const SeedNumbers& numbers, double mean) {
    if (numbers.runs.size() == 1) return cardPercent(mean) + " %";
    Terms terms;
    for (const SeedNumber& run : numbers.runs) terms.push_back(cardPercent(run.value));
    return cardMean(terms, mean);
}

std::string seedsText(const SeedNumbers& numbers) {
    Terms terms;
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

std::map<std::int64_t, double> bySeed(const SeedNumbers& numbers) {
    std::map<std::int64_t, double> values;
    for (const SeedNumber& run : numbers.runs) values[run.seed] = run.value;
    return values;
}

/// Differences seed by seed; empty where the two sides have not the same seeds.
std::vector<double> paired(const SeedNumbers& own, const SeedNumbers& other) {
    const std::map<std::int64_t, double> beside = bySeed(other);
    std::vector<double> differences;
    for (const SeedNumber& run : own.runs) {
        const auto found = beside.find(run.seed);
        if (found == beside.end()) return {};
        differences.push_back(run.value - found->second);
    }
    return differences.size() == beside.size() ? differences : std::vector<double>();
}

/// "95 % interval −0.3 to +20.5 points, sign-flip test p = 0.063: not distinguishable with 5 seeds; about 6 would be
/// needed".
std::string evidenceLine(const std::vector<double>& differences) {
    const PairedEvidence evidence = pairedEvidence(differences);
    return "95 % interval " + signedPerCent(evidence.low()) + " to " + signedPerCent(evidence.high()) +
           " points, sign-flip test p = " + fixedText(signFlipTest(differences).value_or(1), 3) + ": " +
           (evidence.distinguishable() ? "the interval excludes 0" : evidenceText(evidence));
}

}  // namespace

PairedEvidence pairedEvidence(const SeedNumbers& own, const SeedNumbers& other) {
    return pairedEvidence(pairedDifferences(bySeed(own), bySeed(other)));
}

MetricCard metricCard(std::string_view key, const MetricFacts& facts) {
    const Metric* metric = findMetric(key);
    if (!metric) throw inputError("There is no number called \"" + std::string(key) + "\".");
    MetricCard card{metric->symbol, metric->title, stageOf(metric->on_the_way, facts), {}};
    const Metric* other = findMetric(metric->counterpart);
    card.sides.push_back(sideOf(*metric, facts));
    if (other) card.sides.push_back(sideOf(*other, facts));
    return card;
}

MetricCard curveCard(std::string_view key, const MetricFacts& facts) {
    const CurveMeaning* curve = findCurve(key);
    if (!curve) throw inputError("There is no curve called \"" + std::string(key) + "\".");
    MetricCard card{curve->symbol, curve->title, {}, {{{}, curve->formula, curve->meaning, {}, {}, {}, {}, {}}}};
    MetricSide& side = card.sides.front();
    if (key == "anytime" && !facts.anytime.empty()) {
        side.value = facts.anytime.back();
        side.worked = "a_" + std::to_string(facts.anytime.size()) + result(*side.value);
    } else if (key == "retention" && !facts.r.empty()) {
        Terms terms;
        const std::string row = "R_" + std::to_string(facts.r.size()) + ",";
        for (std::size_t j = 0; j < facts.r.back().size(); ++j)
            if (facts.r.back()[j]) terms.push_back(row + std::to_string(j + 1) + result(*facts.r.back()[j]));
        side.worked = cardList(terms, ", ");
    }
    if (side.worked.empty()) side.undefined = curve->undefined;
    return card;
}

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
                               signedPerCent(shown(a.mean) - shown(b.mean)) + " points");
        const std::vector<double> differences = paired(own, other);
        Terms terms;
        for (const double difference : differences) terms.push_back(signedPerCent(difference));
        const Spread by_seed = palimpsest::spread(differences);
        if (differences.size() > 1) {
            side.details.push_back("Seed by seed: " + cardList(terms, ", ") + "; mean " + signedPerCent(by_seed.mean) +
                                   " ± " + cardPercent(by_seed.deviation) + " (sample standard deviation)");
            side.details.push_back(evidenceLine(differences));
        } else {
            side.meaning = "The two have not the same seeds, so there is no difference seed by seed.";
        }
    } else {
        side.meaning = "It learned another stream: there is no difference to read.";
    }
    std::erase(side.details, std::string());
    card.sides.push_back(std::move(side));
}

}  // namespace palimpsest
