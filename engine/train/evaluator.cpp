// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/evaluator.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <new>
#include <numeric>
#include <tuple>

#include "engine/checkpoint/state_archive.h"
#include "engine/network/explained_error.h"
#include "engine/optim/output_units.h"
#include "engine/support/evenly_spread.h"
#include "engine/support/stop_scope.h"
#include "engine/train/nearest_means.h"

namespace palimpsest {
namespace {

/// Far above any batch of test images.
constexpr std::int64_t kMostInBatch = 1 << 20;

/// `samples` less those that were wanted but not shown; all three in the same order.
std::vector<std::int64_t> withoutMissing(std::span<const std::int64_t> samples, std::span<const std::int64_t> wanted,
                                         std::span<const std::int64_t> shown) {
    std::vector<std::int64_t> result;
    for (const std::int64_t sample : samples) {
        const bool asked = !wanted.empty() && wanted.front() == sample;
        const bool came = !shown.empty() && shown.front() == sample;
        if (asked) wanted = wanted.subspan(1);
        if (came) shown = shown.subspan(1);
        if (came || !asked) result.push_back(sample);
    }
    return result;
}

/// `logits`: [C], of one image, in the processor's memory. `truth`: its unit.
WatchedAnswer answerOf(std::int64_t sample, std::int64_t truth, const Tensor& logits) {
    const Tensor shares = at::softmax(logits.to(at::kDouble), 0);
    WatchedAnswer answer{sample, {{truth, shares[truth].item<double>()}}};
    const auto [values, units] = at::topk(shares, std::min(shares.size(0), kWatchedOthers + 1));
    for (std::int64_t i = 0; i < units.size(0); ++i)
        if (const auto unit = units[i].item<std::int64_t>();
            unit != truth && std::ssize(answer.units) <= kWatchedOthers)
            answer.units.emplace_back(unit, values[i].item<double>());
    return answer;
}

}  // namespace

std::vector<bool> anytimePart(std::span<const std::int32_t> labels, std::int64_t images) {
    const auto all = std::ssize(labels);
    std::vector<bool> part(labels.size(), true);
    if (images <= 0 || images >= all) return part;
    std::map<std::int32_t, std::int64_t> ranks;
    for (std::size_t i = 0; i < labels.size(); ++i) {
        const std::int64_t rank = ranks[labels[i]]++;
        // The first of each class belongs to it, so that none is without.
        part[i] = rank == 0 || (rank * images) / all != ((rank - 1) * images) / all;
    }
    return part;
}

std::vector<bool> mappedPart(std::span<const std::int32_t> labels, const std::vector<bool>& part) {
    std::map<std::int32_t, std::vector<std::size_t>> images;
    for (std::size_t i = 0; i < labels.size(); ++i)
        if (part[i]) images[labels[i]].push_back(i);
    std::vector<bool> mapped(labels.size(), false);
    for (const auto& [label, places] : images)
        for (const std::int64_t place : evenlySpread(std::ssize(places), kFeatureImages))
            mapped[places[static_cast<std::size_t>(place)]] = true;
    return mapped;
}

Evaluator::Evaluator(Method& method, TestSource& source, std::int64_t classes, bool seenOnly, std::int64_t batch,
                     at::Device device, std::int64_t anytimeImages)
    : method_(method),
      source_(source),
      classes_(classes),
      seen_only_(seenOnly),
      batch_(batch),
      device_(device),
      known_(source.labels().size(), false),
      counted_(source.labels().size(), false),
      anytime_(anytimePart(source.labels(), anytimeImages)),
      mapped_(mappedPart(source.labels(), anytime_)) {}

void Evaluator::watch(const std::vector<std::int64_t>& samples) {
    watched_ = samples;
    std::ranges::sort(watched_);
}

std::vector<std::int64_t> Evaluator::needed(std::span<const std::int64_t> samples) const {
    std::vector<std::int64_t> result;
    for (const std::int64_t sample : samples)
        if (method_.needsImages() || (method_.usesFrozenFeatures() && !knows(sample))) result.push_back(sample);
    return result;
}

void Evaluator::learnFeatures(const ShownImages& shown) {
    std::vector<std::int64_t> samples, rows;
    for (std::size_t i = 0; i < shown.samples.size(); ++i) {
        if (knows(shown.samples[i])) continue;
        samples.push_back(shown.samples[i]);
        rows.push_back(static_cast<std::int64_t>(i));
    }
    if (samples.empty()) return;
    const bool all = rows.size() == shown.samples.size();
    const Tensor images = all ? shown.images : shown.images.index_select(0, indexOn(rows, device_));
    const auto keepRows = [&](Tensor& kept, const Tensor& fresh) {
        if (!kept.defined())
            kept = at::zeros({static_cast<std::int64_t>(known_.size()), fresh.size(1)}, fresh.options());
        kept.index_copy_(0, indexOn(samples, device_), fresh);
    };
    keepRows(features_, method_.frozenFeatures(images));
    if (!method_.frozenAreFinal() && method_.hasReference()) keepRows(final_features_, method_.finalFeatures(images));
    for (const std::int64_t sample : samples) known_[static_cast<std::size_t>(sample)] = true;
}

std::vector<std::int64_t> Evaluator::samplesOf(const ClassRegistry& registry, std::int64_t classes,
                                               TestPart part) const {
    std::vector<std::int64_t> samples;
    for (std::size_t i = 0; i < source_.labels().size(); ++i) {
        if (part == TestPart::Anytime && !anytime_[i]) continue;
        if (const std::int64_t unit = registry.unit(source_.labels()[i]); unit >= 0 && unit < classes)
            samples.push_back(static_cast<std::int64_t>(i));
    }
    if (part != TestPart::Early) return samples;
    std::vector<std::int64_t> some;
    for (const std::int64_t place : evenlySpread(std::ssize(samples), kEarlyImages))
        some.push_back(samples[static_cast<std::size_t>(place)]);
    return some;
}

std::span<const std::int64_t> Evaluator::part(const std::vector<std::int64_t>& samples, std::size_t first) const {
    const std::size_t from = std::min(first, samples.size());
    return std::span(samples).subspan(from, std::min(samples.size() - from, static_cast<std::size_t>(batch_)));
}

void Evaluator::keep(StateArchive& archive, const ClassRegistry& registry) {
    archive("rounds", rounds_);
    archive("round_batches", round_batches_);
    std::int64_t batch = batch_;
    archive("batch", batch);
    if (!archive.restoring()) return;
    archive.requireRange("round_batches", round_batches_, 1, kMostInBatch);
    archive.requireRange("batch", {{batch}}, 1, kMostInBatch);
    for (std::size_t i = 0; i < std::min(rounds_.size(), round_batches_.size()); ++i) {
        const std::vector<std::int64_t> samples =
            samplesOf(registry, std::abs(rounds_[i]), rounds_[i] < 0 ? TestPart::Anytime : TestPart::All);
        batch_ = round_batches_[i];
        for (std::size_t first = 0; first < samples.size();) {
            StopScope::check();
            std::vector<std::int64_t> unknown;
            for (const std::int64_t sample : part(samples, first))
                if (!knows(sample)) unknown.push_back(sample);
            if (unknown.empty() || fits([&] { learnFeatures(source_.images(unknown)); }))
                first += part(samples, first).size();
        }
    }
    counted_ = known_;
    batch_ = batch;
}

template <class Work>
bool Evaluator::fits(Work work) {
    for (const bool last : {false, true}) {
        try {
            work();
            return true;
        } catch (const c10::Error& error) {
            if (!isOutOfMemory(error) || (last && batch_ == 1)) throw;
        } catch (const std::bad_alloc&) {
            if (last && batch_ == 1) throw;
        }
    }
    batch_ = (batch_ + 1) / 2;
    return false;
}

Evaluator::Pass Evaluator::pass(const std::vector<std::int64_t>& samples, std::size_t first,
                                const ClassRegistry& registry, const Tensor& mask, bool withTop) {
    const std::vector<std::int64_t> wanted = needed(part(samples, first));
    const ShownImages shown = wanted.empty() ? ShownImages{} : source_.images(wanted);
    source_.expect(needed(part(samples, first + static_cast<std::size_t>(batch_))));
    Pass result;
    result.samples = withoutMissing(part(samples, first), wanted, shown.samples);
    if (result.samples.empty()) return result;
    if (method_.usesFrozenFeatures()) learnFeatures(shown);
    const Tensor frozen =
        method_.usesFrozenFeatures() ? features_.index_select(0, indexOn(result.samples, device_)) : Tensor();
    Tensor logits = method_.logits(method_.needsImages() ? shown.images : Tensor(), frozen);
    if (mask.defined()) logits = logits + mask;
    for (const std::int64_t sample : result.samples)
        result.units.push_back(registry.unit(source_.labels()[static_cast<std::size_t>(sample)]));
    for (std::size_t i = 0; i < result.samples.size(); ++i)
        if (std::ranges::binary_search(watched_, result.samples[i])) result.watched.push_back(i);
    const std::vector<std::int64_t> rows(result.watched.begin(), result.watched.end());
    const Tensor seen = rows.empty() ? Tensor() : logits.index_select(0, indexOn(rows, device_));
    const Tensor targets = indexOn(result.units, device_);
    const Tensor chosen = method_.lastChoice();
    Tensor shares, units;
    if (withTop)
        std::tie(shares, units) =
            at::topk(at::softmax(logits.to(at::kFloat), 1), std::min<std::int64_t>(kTopClasses, logits.size(1)), 1);
    result.numbers = HostCopy({at::cross_entropy_loss(logits, targets), method_.lastPenalty(), logits.argmax(1),
                               chosen.defined() && chosen.dim() > 1 ? chosen.select(1, 0) : chosen,
                               method_.lastAgreement(), units, shares, seen});
    keepMapped(result, frozen);
    return result;
}

void Evaluator::keepMapped(Pass& pass, const Tensor& frozen) const {
    const Tensor& features = method_.lastFeatures().defined() ? method_.lastFeatures() : frozen;
    if (!features.defined() || features.dim() != 2 || features.size(0) != std::ssize(pass.samples)) return;
    std::vector<std::int64_t> rows;
    for (std::size_t i = 0; i < pass.samples.size(); ++i) {
        if (!mapped_[static_cast<std::size_t>(pass.samples[i])] || pass.units[i] >= kFeatureClasses) continue;
        pass.mapped.push_back(pass.samples[i]);
        rows.push_back(static_cast<std::int64_t>(i));
    }
    if (!rows.empty()) pass.features = features.index_select(0, indexOn(rows, device_));
}

std::optional<FeatureMoment> Evaluator::featureMoment(const std::vector<Pass>& passes,
                                                      const ClassRegistry& registry) const {
    std::vector<Tensor> parts;
    std::vector<FeatureMoment::Row> rows;
    for (const Pass& pass : passes) {
        if (!pass.features.defined()) continue;
        parts.push_back(pass.features);
        for (const std::int64_t sample : pass.mapped)
            rows.push_back({source_.labels()[static_cast<std::size_t>(sample)], sample});
    }
    if (parts.empty()) return std::nullopt;
    FeatureMoment moment;
    moment.still = !method_.lastFeatures().defined();
    const std::int64_t width = parts.front().size(1);
    moment.width = static_cast<std::size_t>(width);
    const auto append = [&](const Tensor& there) {
        const Tensor here = there.detach().to(at::kCPU, at::kFloat).contiguous();
        const auto* data = here.data_ptr<float>();
        moment.values.insert(moment.values.end(), data, data + here.numel());
    };
    // By class as they came, images in data set order: the passes have them by image.
    std::vector<std::int64_t> order(rows.size());
    std::iota(order.begin(), order.end(), std::int64_t{0});
    const auto unit = [&](std::int64_t i) { return registry.unit(rows[static_cast<std::size_t>(i)].label); };
    std::ranges::stable_sort(order, {}, unit);
    for (const std::int64_t i : order) moment.rows.push_back(rows[static_cast<std::size_t>(i)]);
    append(at::cat(parts).index_select(0, indexOn(order, device_)));
    const Tensor heads = method_.headRows();
    if (!heads.defined() || heads.dim() != 2 || heads.size(1) != width) return moment;
    const std::int64_t classes = std::min({registry.count(), kFeatureClasses, heads.size(0)});
    for (std::int64_t k = 0; k < classes; ++k)
        moment.rows.push_back({registry.exposed()[static_cast<std::size_t>(k)], FeatureMoment::kHead});
    append(heads.narrow(0, 0, classes));
    return moment;
}

std::optional<double> Evaluator::referenceOn(const Evaluation& evaluation, const ClassRegistry& registry,
                                             const NearestMeans& reference) const {
    if (reference.empty() || evaluation.samples.empty() || !method_.hasReference()) return std::nullopt;
    const Tensor& all = method_.frozenAreFinal() ? features_ : final_features_;
    const Tensor features = all.index_select(0, indexOn(evaluation.samples, device_));
    const std::vector<std::int64_t> nearest = reference.nearest(features);
    std::int64_t right = 0;
    for (std::size_t i = 0; i < nearest.size(); ++i)
        right += nearest[i] == registry.unit(source_.labels()[static_cast<std::size_t>(evaluation.samples[i])]) ? 1 : 0;
    return static_cast<double>(right) / static_cast<double>(nearest.size());
}

std::optional<Evaluation> Evaluator::evaluateInBatches(const ClassRegistry& registry,
                                                       const std::function<bool()>& ending, TestPart tested) {
    Evaluation result;
    result.units.resize(static_cast<std::size_t>(registry.count()));
    const std::vector<std::int64_t> samples = samplesOf(registry, registry.count(), tested);
    const Tensor mask = seen_only_ ? seenMask(registry.count(), classes_, device_) : Tensor();
    method_.beginEvaluation(mask);
    const ParameterAverage::InUse average(method_.headAverage());
    double lossSum = 0;
    std::int64_t batches = 0, agreed = 0, asked = 0;
    const auto count = [&](Pass& batch) {
        if (batch.samples.empty()) return;
        const std::vector<Tensor>& numbers = batch.numbers.get();
        const double penalty = numbers[1].defined() ? numbers[1].item<double>() : 0;
        lossSum += numbers[0].item<double>() + penalty;
        ++batches;
        const std::vector<std::int64_t> guesses = indexVector(numbers[2]), chosen = indexVector(numbers[3]);
        result.chosen.insert(result.chosen.end(), chosen.begin(), chosen.end());
        if (numbers[4].defined()) {
            agreed += numbers[4].sum().item<std::int64_t>();
            asked += numbers[4].numel();
        }
        if (numbers[5].defined()) {
            const std::vector<std::int64_t> units = indexVector(numbers[5].flatten());
            result.top_units.insert(result.top_units.end(), units.begin(), units.end());
            const Tensor shares = numbers[6].contiguous();
            const std::span<const float> flat(shares.data_ptr<float>(), static_cast<std::size_t>(shares.numel()));
            result.top_shares.insert(result.top_shares.end(), flat.begin(), flat.end());
        }
        for (std::size_t i = 0; i < batch.watched.size(); ++i)
            result.watched.push_back(answerOf(batch.samples[batch.watched[i]], batch.units[batch.watched[i]],
                                              numbers[7][static_cast<std::int64_t>(i)]));
        for (std::size_t i = 0; i < batch.samples.size(); ++i) {
            result.predictions.push_back(guesses[i]);
            result.truth.push_back(batch.units[i]);
            result.samples.push_back(batch.samples[i]);
            Hits& hits = result.units[static_cast<std::size_t>(batch.units[i])];
            ++hits.samples;
            if (guesses[i] == batch.units[i]) ++hits.correct;
        }
    };
    // A batch is counted when the next one has been launched, so that a GPU always has work.
    Pass before;
    std::vector<Pass> mapped;
    for (std::size_t first = 0; first < samples.size();) {
        if (ending()) {
            result.complete = false;
            return result;
        }
        Pass batch;
        if (!fits([&] { batch = pass(samples, first, registry, mask, tested != TestPart::Early); }))
            return std::nullopt;
        first += part(samples, first).size();
        count(before);
        if (tested != TestPart::Early && batch.features.defined())
            mapped.push_back({{}, {}, {}, {}, batch.mapped, batch.features});
        before = std::move(batch);
    }
    count(before);
    result.features = featureMoment(mapped, registry);
    result.accuracy = microAccuracy(result.units);
    if (asked > 0) result.agreement = static_cast<double>(agreed) / static_cast<double>(asked);
    result.loss = batches > 0 ? lossSum / static_cast<double>(batches) : 0;
    return result;
}

Evaluation Evaluator::evaluate(const ClassRegistry& registry, const std::function<bool()>& ending, TestPart tested,
                               const NearestMeans* reference) {
    NoGradGuard guard;
    const bool early = tested == TestPart::Early;
    const std::vector<bool> known = known_;
    const std::int64_t batchBefore = batch_;
    std::optional<Evaluation> result;
    while (!(result = evaluateInBatches(registry, ending, tested))) known_ = known;
    if (batch_ != batchBefore) result->halved_to = batch_;
    if (early) batch_ = batchBefore;
    // Features that depend on those beside them are computed anew, as if nobody had looked.
    if (early && !method_.repeatsFeatures()) known_ = known;
    if (!result->complete) return *result;
    if (!early && method_.usesFrozenFeatures()) {
        bool fresh = false;
        for (const std::int64_t sample : result->samples) {
            const auto place = static_cast<std::size_t>(sample);
            fresh = fresh || !counted_[place];
            counted_[place] = true;
        }
        if (fresh) {
            rounds_.push_back(tested == TestPart::Anytime ? -registry.count() : registry.count());
            round_batches_.push_back(batch_);
        }
    }
    if (reference) result->reference = referenceOn(*result, registry, *reference);
    return *result;
}

}  // namespace palimpsest
