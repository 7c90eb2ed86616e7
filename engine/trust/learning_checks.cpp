// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <set>

#include "engine/checkpoint/state_archive.h"
#include "engine/metrics/metrics.h"
#include "engine/metrics/paired_difference.h"
#include "engine/support/error.h"
#include "engine/support/format.h"
#include "engine/trust/trust_check.h"

namespace palimpsest {
namespace {

constexpr std::int64_t kSeeds = 10;
/// Difference of A_AUC, as a fraction, from which on number format or threads are worth knowing of.
constexpr double kWorthKnowing = 0.005;

/// The state, less what says how often it was evaluated.
TensorsByName learnedState(LearnedStream& stream) {
    TensorsByName state = stream.state();
    std::erase_if(state, [](const auto& entry) {
        return entry.first == "every_samples" || entry.first == "next_evaluation" ||
               entry.first.starts_with("evaluation.");
    });
    return state;
}

/// Names of values that differ between two states.
std::vector<std::string> differingNames(const TensorsByName& a, const TensorsByName& b) {
    std::set<std::string> names;
    for (const TensorsByName* state : {&a, &b})
        for (const auto& [name, tensor] : *state) names.insert(name);
    std::vector<std::string> differing;
    for (const std::string& name : names) {
        const auto first = a.find(name), second = b.find(name);
        const bool same = first != a.end() && second != b.end() &&
                          stateHash({{name, first->second}}) == stateHash({{name, second->second}});
        if (!same) differing.push_back(name);
    }
    return differing;
}

std::string firstNames(const std::vector<std::string>& names) {
    constexpr std::size_t kNamed = 4;
    std::string text;
    for (std::size_t i = 0; i < std::min(names.size(), kNamed); ++i) text += (i > 0 ? ", " : "") + names[i];
    if (names.size() > kNamed) text += " and " + grouped(static_cast<std::int64_t>(names.size() - kNamed)) + " more";
    return text;
}

std::string shortHash(const TensorsByName& state) {
    constexpr std::size_t kDigits = 16;
    return stateHash(state).substr(0, kDigits);
}

std::string percent(double fraction) {
    return perCent(fraction) + " %";
}

std::string points(double fraction) {
    return fixedText(100 * fraction, 2) + " points";
}

double areaOf(const LearnedStream& stream) {
    const std::optional<double> area = stream.summary().a_auc;
    if (!area) throw Undecided{"The stream is too short for A_AUC to be measured."};
    return *area;
}

/// Mean and spread of one number over the seeds, and where the run's own seed lies in it.
struct SeedNumber {
    std::string name;
    std::vector<double> others;
    double own = 0;

    Spread spread() const { return palimpsest::spread(others); }
    /// Half of the interval in which another seed lies in 95 of 100 cases (Student).
    double reach() const {
        const auto n = static_cast<double>(others.size());
        return studentQuantile(0.975, std::ssize(others) - 1) * spread().deviation * std::sqrt(1 + 1 / n);
    }
    /// Difference that two single seeds exceed in 5 of 100 cases by luck alone.
    double luck() const { return studentQuantile(0.975, std::ssize(others) - 1) * spread().deviation * std::sqrt(2.0); }
    bool within() const { return std::abs(own - spread().mean) <= reach() + 1e-12; }
};

/// Only a linear head learns, under the batch mask, from the same stream.
Experiment headOnly(const TrustContext& context) {
    Experiment experiment = context.shortExperiment();
    const OptionTable& table = context.table();
    for (const auto& [key, value] : {std::pair{"method.name", "linear-probe"},
                                     {"mask.name", "batch"},
                                     {"mask.form", "additive"},
                                     {"mask.evaluation", "auto"},
                                     {"memory.size", "0"},
                                     {"memory.kind", "auto"},
                                     {"initial_session.prompts", "none"}})
        table.setText(experiment, key, value);
    return experiment;
}

}  // namespace

TrustVerdict checkLooking(TrustContext& context) {
    // In the shortest stream one evaluation a batch is as often as it gets: "seldom" lies below that.
    constexpr std::int64_t kSeldom = 3;
    Experiment experiment = context.shortExperiment();
    const std::int64_t often = experiment.evaluation.every_samples;
    TrustVerdict verdict;
    const auto learn = [&](std::int64_t every, const std::string& what) {
        experiment.evaluation.every_samples = every;
        auto stream = context.learnShort(experiment, what);
        verdict.cut = stream->cutText();
        return stream;
    };
    const auto add = [&](const LearnedStream& stream, const TensorsByName& state) {
        verdict.evidence.push_back(
            {counted(stream.evaluations(), "evaluation", "evaluations"), "state " + shortHash(state)});
    };
    const auto first = learn(often, "Evaluated often");
    const TensorsByName state = learnedState(*first);
    add(*first, state);
    std::vector<std::string> differing;
    for (const std::int64_t every : {kSeldom * often, std::int64_t{0}}) {
        const auto other = learn(every, every > 0 ? "Evaluated seldom" : "Evaluated at session ends only");
        const TensorsByName its = learnedState(*other);
        add(*other, its);
        if (differing.empty()) differing = differingNames(state, its);
    }
    if (differing.empty()) {
        verdict.colour = TrustColour::Green;
        verdict.sentence =
            "However often it is evaluated, the same weights, memory and random numbers are left at the end, to the "
            "last bit.";
        return verdict;
    }
    verdict.colour = TrustColour::Red;
    verdict.sentence = "Being looked at changes what it learns: the states differ in " + firstNames(differing) +
                       ". A curve of this method shows another run than the one that nobody watched.";
    verdict.evidence.push_back({"Values that differ", grouped(static_cast<std::int64_t>(differing.size()))});
    return verdict;
}

TrustVerdict checkSeeds(TrustContext& context) {
    Experiment experiment = headOnly(context);
    const std::int64_t own = experiment.seed;
    SeedNumber area{"A_AUC", {}, 0}, last{"A_Last (overall)", {}, 0};
    TrustVerdict verdict;
    // The ten behind the run's own seed, so that it is none of them.
    for (std::int64_t i = 0; i <= kSeeds; ++i) {
        experiment.seed = own + i;
        const auto stream = context.learnShort(
            experiment, i == 0 ? "The own seed" : "Seed " + std::to_string(i) + " of " + std::to_string(kSeeds));
        const double measured_area = areaOf(*stream);
        const std::optional<double> measured_last = stream->summary().a_last_overall;
        if (!measured_last) throw Undecided{"No session of the stream ends with an evaluation."};
        verdict.cut = stream->cutText();
        if (i == 0) {
            area.own = measured_area;
            last.own = *measured_last;
        } else {
            area.others.push_back(measured_area);
            last.others.push_back(*measured_last);
        }
    }
    for (const SeedNumber* number : {&area, &last}) {
        const Spread spread = number->spread();
        const auto [least, most] = std::minmax_element(number->others.begin(), number->others.end());
        verdict.evidence.push_back(
            {number->name + " of seeds " + std::to_string(own + 1) + " to " + std::to_string(own + kSeeds),
             spreadPerCent(spread) + " % (" + perCent(*least) + " to " + perCent(*most) + ")"});
        verdict.evidence.push_back({number->name + " of seed " + std::to_string(own),
                                    percent(number->own) + "; 95 of 100 seeds lie within " +
                                        perCent(std::max(0.0, spread.mean - number->reach())) + " to " +
                                        perCent(std::min(1.0, spread.mean + number->reach())) + " %"});
    }
    const std::string luck =
        "Two runs of different seeds that differ by less than " + points(area.luck()) + " of A_AUC, or " +
        points(last.luck()) +
        " of A_Last, prove nothing. Runs of the same seed, with and without a mask for example, learn the same stream: "
        "compare them over several seeds of each, with “Group seeds” in the list of runs and then “Compare with this "
        "as baseline”, which takes the differences seed by seed.";
    if (area.within() && last.within()) {
        verdict.colour = TrustColour::Green;
        verdict.sentence = "Seed " + std::to_string(own) + " is a seed like others. " + luck;
    } else {
        verdict.colour = TrustColour::Amber;
        verdict.sentence =
            "Seed " + std::to_string(own) + " is an unusual one: " + (area.within() ? last.name : area.name) +
            " of a mere linear head lies outside of what ten others let expect. Report several seeds. " + luck;
    }
    if (experiment.stream.isImported())
        verdict.sentence +=
            " The stream is a list of its own, which the seed does not change: only first weights and "
            "augmentation differ.";
    return verdict;
}

void judgePrecision(TrustVerdict& verdict, const PrecisionFacts& facts) {
    const std::string threads = facts.same_bits_with_two
                                    ? " One and two threads gave the same bits, too, which is more than is promised."
                                    : " One and two threads add up in another order, which is allowed, and differ by " +
                                          points(facts.threads_change) + " of A_AUC.";
    if (!facts.differing.empty() && !facts.gpu) {
        verdict.colour = TrustColour::Red;
        verdict.sentence =
            "The same experiment with one thread gave other numbers the second time, although the same "
            "bits are promised: the states differ in " +
            firstNames(facts.differing) + ".";
        return;
    }
    double largest = facts.threads_change;
    std::string by = "the number of threads";
    if (facts.format_change && *facts.format_change > largest) {
        largest = *facts.format_change;
        by = "the number format";
    }
    if (facts.again_change > largest) {
        largest = facts.again_change;
        by = "a repetition";
    }
    const bool amber = largest > kWorthKnowing || !facts.differing.empty();
    verdict.colour = amber ? TrustColour::Amber : TrustColour::Green;
    verdict.sentence = facts.differing.empty()
                           ? std::string("With one thread the same bits came out twice, ") +
                                 (facts.gpu ? "which is more than is promised on a GPU." : "as promised.")
                           : "The same experiment gave other bits the second time, which a GPU may do: the states "
                             "differ in " +
                                 firstNames(facts.differing) + ", and A_AUC by " + points(facts.again_change) + ".";
    verdict.sentence += threads;
    if (facts.format_change)
        verdict.sentence += " " + facts.format + " and " + facts.other_format + " differ by " +
                            points(*facts.format_change) + " of A_AUC.";
    if (largest > kWorthKnowing)
        verdict.sentence += " So " + by + " alone changes A_AUC by " + points(largest) +
                            ": compare only runs that agree in it, and no difference of that size.";
}

TrustVerdict checkPrecision(TrustContext& context) {
    Experiment experiment = context.shortExperiment();
    TrustVerdict verdict;
    PrecisionFacts facts;
    struct Learned {
        TensorsByName state;
        double area = 0;
    };
    // Each stream is gone before the next begins: on a GPU, one that computes in TF32 keeps others from doing without.
    const auto learn = [&](const std::string& what, const std::string& named) {
        const auto stream = context.learnShort(experiment, what);
        // A device, once resolved, stays so: "auto" must not choose another one afterwards.
        experiment.device = stream->compute().deviceName();
        experiment.precision = stream->compute().precisionName();
        facts.gpu = stream->compute().device.is_cuda();
        verdict.cut = stream->cutText();
        Learned learned{stream->state(), areaOf(*stream)};
        verdict.evidence.push_back({named.empty() ? "One thread, " + experiment.precision : named,
                                    "A_AUC " + percent(learned.area) + ", state " + shortHash(learned.state)});
        return learned;
    };
    experiment.threads = 1;
    const Learned first = learn("One thread", "");
    facts.format = experiment.precision;
    const Learned again = learn("One thread, once more", "The same once more");
    facts.differing = differingNames(first.state, again.state);
    facts.again_change = std::abs(again.area - first.area);

    experiment.threads = 2;
    const Learned two = learn("Two threads", "Two threads");
    facts.same_bits_with_two = differingNames(first.state, two.state).empty();
    facts.threads_change = std::abs(two.area - first.area);

    experiment.threads = 1;
    const bool is_short = facts.format == "bfloat16";
    if (is_short || facts.gpu || processorHasBfloat16Tiles()) {
        context.forgetTrained();
        facts.other_format = experiment.precision = is_short ? "float32" : "bfloat16";
        facts.format_change = std::abs(learn(facts.other_format, facts.other_format).area - first.area);
    } else {
        verdict.evidence.push_back({"bfloat16", "not compared: this processor has no tiles for it"});
    }
    judgePrecision(verdict, facts);
    return verdict;
}

}  // namespace palimpsest
