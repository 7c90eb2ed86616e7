// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/support/format.h"
#include "engine/support/random.h"
#include "engine/trust/trust_check.h"

namespace palimpsest {
namespace {

/// Largest change of a score, as a share of the image's largest score, that the order of sums alone explains: a product
/// of matrices of another size adds up in another order. A number has 24, 11 or 8 digits of two.
double roundingOf(const Compute& compute) {
    if (compute.type != at::kFloat) return 1e-2;
    return compute.tf32 ? 2e-3 : 1e-4;
}

/// Share of images that may change between two classes that stand level before that is worth knowing.
constexpr double kMostLevel = 0.01;

/// Two evaluations of one state, image by image.
struct Difference {
    std::int64_t images = 0;
    std::int64_t other_class = 0;    ///< images with another prediction
    std::int64_t beyond_ties = 0;    ///< of them, those whose two classes did not stand level
    std::int64_t other_scores = 0;   ///< images whose scores differ by more than rounding
    std::int64_t other_prompts = 0;  ///< images for which another prompt was chosen
    double largest = 0;              ///< change of any score
    std::int64_t example = -1;       ///< the first image of beyond_ties
};

Difference differenceOf(const Answers& a, const Answers& b, double share) {
    Difference result;
    result.images = std::ssize(a.samples);
    const bool scored = a.scores.defined() && b.scores.defined();
    Tensor bounds;  // [images], at least as for a score of 1
    if (scored) {
        // Hidden classes are minus infinity on both sides.
        const Tensor shown = at::isfinite(a.scores).logical_and(at::isfinite(b.scores));
        const Tensor zero = at::zeros_like(a.scores);
        const Tensor changes = at::where(shown, (a.scores - b.scores).abs(), zero).amax(1);
        bounds = share * at::where(shown, a.scores.abs(), zero).amax(1).clamp_min(1);
        result.largest = changes.max().item<double>();
        result.other_scores = changes.gt(bounds).sum().item<std::int64_t>();
    }
    const bool chosen = !a.samples.empty() && a.selected.size() == b.selected.size();
    const std::size_t each = chosen ? a.selected.size() / a.samples.size() : 0;
    for (std::size_t i = 0; i < a.samples.size(); ++i) {
        if (each > 0 && !std::equal(a.selected.begin() + static_cast<std::ptrdiff_t>(i * each),
                                    a.selected.begin() + static_cast<std::ptrdiff_t>((i + 1) * each),
                                    b.selected.begin() + static_cast<std::ptrdiff_t>(i * each)))
            ++result.other_prompts;
        if (a.guesses[i] == b.guesses[i]) continue;
        ++result.other_class;
        bool level = false;
        if (scored) {
            const auto row = static_cast<std::int64_t>(i);
            const auto lead = [&](const Tensor& scores, std::int64_t won, std::int64_t lost) {
                return (scores[row][won] - scores[row][lost]).item<double>();
            };
            const double bound = bounds[row].item<double>();
            level = lead(a.scores, a.guesses[i], b.guesses[i]) <= bound &&
                    lead(b.scores, b.guesses[i], a.guesses[i]) <= bound;
        }
        if (level) continue;
        ++result.beyond_ties;
        if (result.example < 0) result.example = a.samples[i];
    }
    return result;
}

void addEvidence(TrustVerdict& verdict, const Difference& difference, const std::string& where, bool prompts) {
    verdict.evidence.push_back({"Images with another prediction, " + where,
                                grouped(difference.other_class) + " of " + grouped(difference.images)});
    if (difference.other_class != difference.beyond_ties)
        verdict.evidence.push_back({"Of them two classes that stood level, " + where,
                                    grouped(difference.other_class - difference.beyond_ties)});
    verdict.evidence.push_back(
        {"Largest change of a score, " + where, shortestText(static_cast<float>(difference.largest))});
    if (prompts)
        verdict.evidence.push_back({"Images with another prompt, " + where,
                                    grouped(difference.other_prompts) + " of " + grouped(difference.images)});
}

/// The colour, and what follows from it. `red`: the beginning of the sentence where predictions change.
void judge(TrustVerdict& verdict, const std::vector<Difference>& differences, const std::string& red,
           const LearnedStream& stream) {
    std::int64_t beyond = 0, scores = 0, level = 0, images = 0, example = -1;
    for (const Difference& difference : differences) {
        beyond = std::max(beyond, difference.beyond_ties);
        scores = std::max(scores, difference.other_scores);
        level = std::max(level, difference.other_class - difference.beyond_ties);
        images = difference.images;
        if (example < 0) example = difference.example;
    }
    if (beyond > 0) {
        verdict.colour = TrustColour::Red;
        verdict.sentence = red + " " + counted(beyond, "image gets", "images get") +
                           " another prediction, the first of them " + stream.testName(example) +
                           ". What is measured depends on how it is measured: look for statistics of the batch, or for "
                           "one prompt that is chosen for a whole batch.";
    } else if (scores > 0) {
        verdict.colour = TrustColour::Amber;
        verdict.sentence = "No prediction changes, but the scores of " + counted(scores, "image", "images") +
                           " change by more than rounding explains: images look at those beside them.";
    } else if (static_cast<double>(level) > kMostLevel * static_cast<double>(images)) {
        verdict.colour = TrustColour::Amber;
        verdict.sentence = counted(level, "image gets", "images get") +
                           " another prediction. Their two classes stood level to the digits of " +
                           stream.compute().precisionName() +
                           ", but that is more than 1 in 100: either so many images are undecided, or they look a "
                           "little at those beside them." +
                           (stream.compute().precisionName() == "float32" ? "" : " Repeat the check in float32.");
    } else {
        verdict.colour = TrustColour::Green;
        verdict.sentence = "Every image is judged by itself: its prediction does not depend on those beside it.";
        if (level > 0)
            verdict.sentence += " Where two classes stood level to the last digits (" +
                                counted(level, "image", "images") + "), rounding decided.";
    }
}

Answers requireSome(Answers answers, std::size_t least) {
    if (answers.samples.size() < least)
        throw Undecided{"There are too few test images of the classes seen (" +
                        grouped(static_cast<std::int64_t>(answers.samples.size())) +
                        "). Raise stream.test_limit, or choose a data set with test images."};
    return answers;
}

}  // namespace

TrustVerdict checkBatchSize(TrustContext& context) {
    constexpr std::int64_t kSizes[] = {1, 32};
    constexpr std::int64_t kMost = 128;
    LearnedStream& stream = context.trained();
    const Answers together = requireSome(stream.answers(kMost), 2);
    TrustVerdict verdict;
    verdict.cut = stream.cutText();
    std::vector<Difference> differences;
    for (const std::int64_t size : kSizes) {
        differences.push_back(differenceOf(together, stream.answers(size), roundingOf(stream.compute())));
        addEvidence(verdict, differences.back(), grouped(size) + " at a time instead of " + grouped(kMost),
                    !together.selected.empty());
    }
    judge(verdict, differences, "With another number of test images handed over together,", stream);
    return verdict;
}

TrustVerdict checkOrder(TrustContext& context) {
    LearnedStream& stream = context.trained();
    const Answers own = requireSome(stream.answers(stream.usualBatch()), 2);
    std::vector<std::int64_t> order(static_cast<std::size_t>(stream.testImages()));
    std::iota(order.begin(), order.end(), std::int64_t{0});
    Random(static_cast<std::uint64_t>(context.experiment().seed), purpose::kTrustOrder).shuffle(order);
    TrustVerdict verdict;
    verdict.cut = stream.cutText();
    const Difference difference =
        differenceOf(own, stream.answers(stream.usualBatch(), order), roundingOf(stream.compute()));
    addEvidence(verdict, difference, "shuffled", !own.selected.empty());
    judge(verdict, {difference}, "With the test images in another order,", stream);
    return verdict;
}

}  // namespace palimpsest
