// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/support/format.h"
#include "engine/support/random.h"
#include "engine/trust/trust_check.h"

namespace palimpsest {
namespace {

/// Probability that stays outside an interval, at each end.
constexpr double kTail = 0.005;
constexpr std::int64_t kDraws = 10'000;
/// With so many classes, too few of their permutations differ for 99 %.
constexpr std::int64_t kFewClasses = 5;
constexpr std::int64_t kLeastImages = 30;

struct Interval {
    std::int64_t low = 0, high = 0;  ///< both ends included
};

/// Hits out of `images` that independent guesses with this chance give in 99 of 100 cases.
Interval binomialInterval(std::int64_t images, double chance) {
    const auto n = static_cast<double>(images);
    const auto probability = [&](std::int64_t hits) {
        const auto k = static_cast<double>(hits);
        return std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) + k * std::log(chance) +
                        (n - k) * std::log1p(-chance));
    };
    Interval interval{0, images};
    double below = 0, above = 0;
    while (interval.low < images && below + probability(interval.low) <= kTail) below += probability(interval.low++);
    while (interval.high > 0 && above + probability(interval.high) <= kTail) above += probability(interval.high--);
    return interval;
}

/// Hits in 99 of 100 cases when the classes' names are drawn anew while the predictions stay: images of a class
/// resemble one another, get the same prediction, and are right or wrong together, which the binomial does not know.
/// `counts`: images by true and by predicted unit.
Interval namesInterval(const std::vector<std::vector<std::int64_t>>& counts, std::uint64_t seed) {
    Random random(seed, purpose::kTrustNames);
    std::vector<std::size_t> names(counts.size());
    std::iota(names.begin(), names.end(), std::size_t{0});
    std::vector<std::int64_t> hits;
    for (std::int64_t draw = 0; draw < kDraws; ++draw) {
        random.shuffle(names);
        std::int64_t sum = 0;
        for (std::size_t unit = 0; unit < counts.size(); ++unit) sum += counts[unit][names[unit]];
        hits.push_back(sum);
    }
    std::sort(hits.begin(), hits.end());
    const auto outside = static_cast<std::size_t>(kTail * static_cast<double>(kDraws));
    return {hits[outside], hits[hits.size() - 1 - outside]};
}

std::string shareText(std::int64_t hits, std::int64_t images) {
    return perCent(static_cast<double>(hits) / static_cast<double>(images)) + " %";
}

std::string intervalText(const Interval& interval, std::int64_t images) {
    return shareText(interval.low, images) + " to " + shareText(interval.high, images);
}

}  // namespace

TrustVerdict checkLabels(TrustContext& context) {
    const std::unique_ptr<LearnedStream> stream =
        context.learnShort(context.shortExperiment(), "Labels mixed up", true);
    const Answers answers = stream->answers(stream->usualBatch());
    const std::int64_t images = std::ssize(answers.samples), classes = stream->classesSeen();
    if (images < kLeastImages || classes < 2)
        throw Undecided{"With " + counted(images, "test image", "test images") + " of " +
                        counted(classes, "class", "classes") + " chance cannot be told from skill."};

    std::int64_t hits = 0;
    std::vector<std::vector<std::int64_t>> counts(static_cast<std::size_t>(classes),
                                                  std::vector<std::int64_t>(static_cast<std::size_t>(classes)));
    for (std::size_t i = 0; i < answers.samples.size(); ++i) {
        hits += answers.guesses[i] == answers.units[i];
        // An output that no class has taken yet is wrong whatever the names are.
        if (answers.guesses[i] < classes)
            ++counts[static_cast<std::size_t>(answers.units[i])][static_cast<std::size_t>(answers.guesses[i])];
    }
    const double chance = 1 / static_cast<double>(classes);
    const Interval binomial = binomialInterval(images, chance);
    const Interval names = namesInterval(counts, static_cast<std::uint64_t>(context.experiment().seed));

    TrustVerdict verdict;
    verdict.cut = stream->cutText();
    verdict.evidence = {
        {"A_Last (overall) with permuted labels", shareText(hits, images) + " of " + grouped(images) + " test images"},
        {"Chance, 1 / classes seen", "1 / " + grouped(classes) + " = " + perCent(chance) + " %"},
        {"99 % interval, images independent (binomial)", intervalText(binomial, images)},
        {"99 % interval, names of the classes drawn anew", intervalText(names, images)}};
    const bool above = hits > binomial.high, below = hits < binomial.low;
    const std::string measured = "Trained on labels that say nothing, it is right for " + shareText(hits, images) +
                                 " of the test images; chance is " + perCent(chance) + " %.";
    // With few classes the names tell nothing, and what lies above the binomial interval is amber.
    const std::int64_t found = std::max(binomial.high, classes <= kFewClasses ? binomial.high : names.high) + 1;
    if (!above && !below) {
        verdict.colour = TrustColour::Green;
        verdict.sentence = measured + " No information about the true classes shows that gets past the labels" +
                           (found <= images ? "; a leak that made it right for " + shareText(found, images) +
                                                  " or more would have shown."
                                            : ".");
    } else if (classes <= kFewClasses) {
        verdict.colour = TrustColour::Amber;
        verdict.sentence = measured + " That is more than single images explain, but with " +
                           counted(classes, "class", "classes") +
                           " whole classes may be right by luck: choose a stream with more classes.";
    } else if (hits > names.high || hits < names.low) {
        verdict.colour = TrustColour::Red;
        verdict.sentence = measured +
                           " Luck does not explain that: information about the true classes reaches it past "
                           "the labels.";
    } else {
        verdict.colour = TrustColour::Green;
        verdict.sentence = measured +
                           " That lies outside the binomial interval, but images of a class are right or "
                           "wrong together, and with the names of the classes drawn anew it lies within.";
    }
    return verdict;
}

}  // namespace palimpsest
