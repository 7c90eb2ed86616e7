// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "engine/data/sources.h"
#include "engine/method/method.h"
#include "engine/metrics/metrics.h"
#include "engine/network/device_copies.h"
#include "engine/optim/output_units.h"
#include "engine/record/feature_map.h"
#include "engine/record/watched.h"
#include "engine/train/evaluation_batch.h"

namespace palimpsest {

class NearestMeans;
class StateArchive;

/// How sure a learner is of what a test image shows.
struct WatchedAnswer {
    std::int64_t sample = 0;  ///< the test image
    /// Output units with their probabilities after the mask: the true one first, then the most probable others, at
    /// most kWatchedOthers, in descending order. That of the answer is above all others, by a last digit at least.
    std::vector<std::pair<std::int64_t, double>> units;
};

struct Evaluation {
    std::vector<Hits> units;                ///< of every class seen so far, by unit
    double accuracy = 0;                    ///< correct / total
    double loss = 0;                        ///< mean of the batches' mean losses, the method's criterion
    std::optional<double> reference;        ///< accuracy of the reference on the same images, where there is one
    std::vector<std::int64_t> predictions;  ///< units, in test order
    std::vector<std::int64_t> top_units;    ///< [predictions, top] by falling softmax; empty where nobody asked
    std::vector<float> top_shares;          ///< [predictions, top], the softmax of each after the mask
    std::vector<std::int64_t> truth;        ///< the true ones
    std::vector<std::int64_t> chosen;       ///< prompt or expert of each, the nearest; empty without a pool
    std::optional<double> agreement;        ///< share on which all heads agree; absent where a single one decides
    std::vector<std::int64_t> samples;      ///< the test images they belong to
    std::vector<WatchedAnswer> watched;     ///< all that are watched, tested here or not, of seen classes; test order
    bool complete = true;                   ///< false: ended early because the run is ending
    bool unrecorded = false;                ///< the memory was not enough for what is only recorded, which is absent
    std::int64_t halved_to = 0;             ///< batch from here on, where the memory was not enough for a larger one
    /// Features of a few images of the first classes as the head got them, and the head's rows, without samples_seen;
    /// absent where nobody asked and for a method that tells none.
    std::optional<FeatureMoment> features;
};

/// What is recorded of evaluations besides their numbers, asked once in each that is no early look, before any of it is
/// computed. Null: never.
struct EvaluationRecord {
    std::function<bool()> top_classes{};
    /// `width`, `still`: as a FeatureMoment has them.
    std::function<bool(std::size_t width, bool still)> features{};
};

/// Test images of an evaluation: all, the fixed part for anytime points, or at most kEarlyImages of all.
enum class TestPart { All, Anytime, Early };

/// Test images of an early look, spread evenly over those of the classes seen so far.
constexpr std::int64_t kEarlyImages = 256;

/// About `images` of the test images, an equal share of each class, spread evenly over its images in data set order:
/// true for those that belong to it. All where there are no more, or where `images` is 0.
std::vector<bool> anytimePart(std::span<const std::int32_t> labels, std::int64_t images);

/// kFeatureImages of each class, spread evenly over those of its images that are in `part`: true for those.
std::vector<bool> mappedPart(std::span<const std::int32_t> labels, const std::vector<bool>& part);

/// Accuracy over the test samples of all classes seen so far, in data set order
/// (MISA, methods/_trainer.py, online_evaluate). Frozen features of test images are computed once and kept. An image
/// that cannot be read is left out. Where the memory is not enough for a batch, also when it is asked for once more,
/// the evaluation begins anew with half of it.
class Evaluator {
public:
    /// `seenOnly`: hide classes not seen yet. `batch`: test images a forward pass. `anytimeImages`: see anytimePart().
    Evaluator(Method& method, TestSource& source, std::int64_t classes, bool seenOnly, std::int64_t batch,
              at::Device device, std::int64_t anytimeImages = 0);

    /// Evaluations tell how sure the learner is of these few test images; nothing else of them changes. Those that an
    /// anytime evaluation leaves out get a pass of their own.
    void watch(const std::vector<std::int64_t>& samples);
    /// Where the memory is not enough for what is recorded, it is left out, and the evaluation is what it would be.
    void recordFor(EvaluationRecord record) { record_ = std::move(record); }

    /// `ending` is polled once a batch. An early look leaves nothing behind that later evaluations or keep() could
    /// tell.
    Evaluation evaluate(const ClassRegistry& registry, const std::function<bool()>& ending,
                        TestPart part = TestPart::All, const NearestMeans* reference = nullptr);

    /// Whether later evaluations hide classes not seen yet.
    void setSeenOnly(bool seenOnly) { seen_only_ = seenOnly; }

    /// Which test images had their frozen features computed together. Restoring computes them again in the same
    /// batches, since a feature's last bits depend on those beside it; it throws GivenUp where the thread's StopScope
    /// asks for it. Only before the first evaluation.
    void keep(StateArchive& archive, const ClassRegistry& registry);

private:
    /// Test images of the first `classes` units, in data set order.
    std::vector<std::int64_t> samplesOf(const ClassRegistry& registry, std::int64_t classes, TestPart part) const;
    /// Those of one forward pass, from the first-th on.
    std::span<const std::int64_t> part(const std::vector<std::int64_t>& samples, std::size_t first) const;
    /// Accuracy of the reference on the images of an evaluation.
    std::optional<double> referenceOn(const Evaluation& evaluation, const ClassRegistry& registry,
                                      const NearestMeans& reference) const;
    bool knows(std::int64_t sample) const { return known_[static_cast<std::size_t>(sample)]; }
    /// The test samples whose images a forward pass on `samples` needs.
    std::vector<std::int64_t> needed(std::span<const std::int64_t> samples) const;
    /// Keeps the features of those of the images that have none yet.
    void learnFeatures(const ShownImages& shown);
    /// Does the work; false, with the batch halved, where the memory is not enough for it. What others hold can be free
    /// a moment later, and a smaller batch would change the last digits of a loss, so it is asked for twice.
    template <class Work>
    bool fits(Work work);
    /// evaluate() with the batch as it is; nothing, with the batch halved, where the memory is not enough.
    std::optional<Evaluation> evaluateInBatches(const ClassRegistry& registry, const std::function<bool()>& ending,
                                                TestPart tested);
    /// What is only recorded of a pass.
    struct Extras {
        std::vector<std::size_t> watched;  // places of watched images among the samples
        std::vector<std::int64_t> mapped;  // those whose features are kept
        // Most probable units of each and their shares, features of the mapped ones, logits of the watched ones;
        // undefined where they were not asked for.
        HostCopy numbers;
    };
    struct Pass {
        std::vector<std::int64_t> samples;  // those that can be read
        std::vector<std::int64_t> units;
        // Mean loss, the method's penalty, and of each: unit guessed, prompt, whether heads agree.
        HostCopy numbers;
        Tensor logits, frozen;  // until the extras are there
        Extras extras;
    };
    /// What is asked of the evaluation that goes on.
    struct Asked {
        bool anything = false;  // false from where the memory was not enough on
        bool top_classes = false;
        std::optional<bool> features{};  // not known before the first pass
    };
    /// One forward pass on the first-th of the samples and those behind it.
    Pass pass(const std::vector<std::int64_t>& samples, std::size_t first, const ClassRegistry& registry,
              const Tensor& mask);
    /// Makes the extras of a pass, behind its own numbers.
    void addExtras(Pass& pass, Asked& asked) const;
    /// Features of a pass that the feature map shows; undefined: there are none.
    Tensor mappedFeatures(Pass& pass, Asked& asked) const;
    struct MappedFeatures {
        std::vector<std::int64_t> samples;
        Tensor values;  // [samples, D]
    };
    /// Those of all passes, and the head's rows as they are now; absent where there are none.
    std::optional<FeatureMoment> featureMoment(const std::vector<MappedFeatures>& parts,
                                               const ClassRegistry& registry) const;
    /// Answers for watched images of seen classes that an anytime evaluation leaves out. Nothing of it is kept: the
    /// last bits of features depend on those beside them.
    std::vector<WatchedAnswer> watchedBeside(const ClassRegistry& registry, const Tensor& mask);

    Method& method_;
    TestSource& source_;
    std::int64_t classes_;
    bool seen_only_;
    std::int64_t batch_;
    at::Device device_;
    Tensor features_;        // [test samples, D], rows filled when first needed
    Tensor final_features_;  // likewise, for the reference where the method queries with other features
    std::vector<bool> known_;
    std::vector<bool> counted_;  // known since an evaluation that is no early look
    std::vector<bool> anytime_;
    std::vector<bool> mapped_;           // images of the feature map, once their class is one of the first
    std::vector<std::int64_t> watched_;  // ascending
    EvaluationRecord record_;
    // How many classes there were in the evaluations that computed features; negative where they were of the part.
    std::vector<std::int64_t> rounds_;
    std::vector<std::int64_t> round_batches_;  // the batches that they ended with
};

}  // namespace palimpsest
