// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/evaluator.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
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

/// `logits`: [C], of one image, in the processor's memory. `truth`, `answer`: its unit and the one guessed. Where
/// probabilities are equal, or none (the network has diverged), the answer's is still the largest: by that it is told.
WatchedAnswer answerOf(std::int64_t sample, std::int64_t truth, std::int64_t answer, const Tensor& logits) {
    const Tensor shares = at::softmax(logits.to(at::kDouble), 0).nan_to_num(0);
    const auto shareOf = [&](std::int64_t unit) { return shares[unit].item<double>(); };
    const double most = std::max(shareOf(answer), double{std::numeric_limits<float>::min()});
    WatchedAnswer result{sample, {}};
    const auto add = [&](std::int64_t unit) {
        result.units.emplace_back(unit, unit == answer ? most : std::min(shareOf(unit), std::nextafter(most, 0.0)));
    };
    add(truth);
    if (answer != truth) add(answer);
    const Tensor units = std::get<1>(at::topk(shares, std::min(shares.size(0), kWatchedOthers + 1)));
    for (const std::int64_t unit : indexVector(units))
        if (unit != truth && unit != answer && std::ssize(result.units) <= kWatchedOthers) add(unit);
    return result;
}

/// Does work that is only recorded; false where the memory is not enough for it.
template <class Work>
bool hasRoomFor(Work work) {
    try {
        work();
        return true;
    } catch (const c10::Error& error) {
        if (!isOutOfMemory(error)) throw;
    } catch (const std::bad_alloc&) {
    }
    return false;
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
                                const ClassRegistry& registry, const Tensor& mask) {
    const std::vector<std::int64_t> wanted = needed(part(samples, first));
    const ShownImages shown = wanted.empty() ? ShownImages{} : source_.images(wanted);
    source_.expect(needed(part(samples, first + static_cast<std::size_t>(batch_))));
    Pass result;
    result.samples = withoutMissing(part(samples, first), wanted, shown.samples);
    if (result.samples.empty()) return result;
    if (method_.usesFrozenFeatures()) {
        learnFeatures(shown);
        result.frozen = features_.index_select(0, indexOn(result.samples, device_));
    }
    result.logits = method_.logits(method_.needsImages() ? shown.images : Tensor(), result.frozen);
    if (mask.defined()) result.logits = result.logits + mask;
    for (const std::int64_t sample : result.samples)
        result.units.push_back(registry.unit(source_.labels()[static_cast<std::size_t>(sample)]));
    const Tensor targets = indexOn(result.units, device_);
    const Tensor chosen = method_.lastChoice();
    result.numbers =
        HostCopy({at::cross_entropy_loss(result.logits, targets), method_.lastPenalty(), result.logits.argmax(1),
                  chosen.defined() && chosen.dim() > 1 ? chosen.select(1, 0) : chosen, method_.lastAgreement()});
    return result;
}

void Evaluator::addExtras(Pass& pass, Asked& asked) const {
    Extras& extras = pass.extras;
    for (std::size_t i = 0; i < pass.samples.size(); ++i)
        if (std::ranges::binary_search(watched_, pass.samples[i])) extras.watched.push_back(i);
    Tensor seen, shares, units;
    if (!extras.watched.empty()) {
        const std::vector<std::int64_t> rows(extras.watched.begin(), extras.watched.end());
        seen = pass.logits.index_select(0, indexOn(rows, device_));
    }
    if (asked.top_classes)
        std::tie(shares, units) = at::topk(at::softmax(pass.logits.to(at::kFloat), 1),
                                           std::min<std::int64_t>(kTopClasses, pass.logits.size(1)), 1);
    extras.numbers = HostCopy({units, shares, mappedFeatures(pass, asked), seen});
}

Tensor Evaluator::mappedFeatures(Pass& pass, Asked& asked) const {
    const Tensor& features = method_.lastFeatures().defined() ? method_.lastFeatures() : pass.frozen;
    if (!features.defined() || features.dim() != 2 || features.size(0) != std::ssize(pass.samples)) return {};
    if (!asked.features)
        asked.features = record_.features && record_.features(static_cast<std::size_t>(features.size(1)),
                                                              !method_.lastFeatures().defined());
    if (!*asked.features) return {};
    std::vector<std::int64_t> rows;
    for (std::size_t i = 0; i < pass.samples.size(); ++i) {
        if (!mapped_[static_cast<std::size_t>(pass.samples[i])] || pass.units[i] >= kFeatureClasses) continue;
        pass.extras.mapped.push_back(pass.samples[i]);
        rows.push_back(static_cast<std::int64_t>(i));
    }
    return rows.empty() ? Tensor() : features.index_select(0, indexOn(rows, device_));
}

std::optional<FeatureMoment> Evaluator::featureMoment(const std::vector<MappedFeatures>& parts,
                                                      const ClassRegistry& registry) const {
    if (parts.empty()) return std::nullopt;
    std::vector<Tensor> values;
    std::vector<FeatureMoment::Row> rows;
    for (const MappedFeatures& one : parts) {
        values.push_back(one.values);
        for (const std::int64_t sample : one.samples)
            rows.push_back({source_.labels()[static_cast<std::size_t>(sample)], sample});
    }
    FeatureMoment moment;
    moment.still = !method_.lastFeatures().defined();
    const std::int64_t width = values.front().size(1);
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
    append(at::cat(values).index_select(0, at::tensor(order, at::kLong)));
    const Tensor heads = method_.headRows();
    if (!heads.defined() || heads.dim() != 2 || heads.size(1) != width) return moment;
    const std::int64_t classes = std::min({registry.count(), kFeatureClasses, heads.size(0)});
    for (std::int64_t k = 0; k < classes; ++k)
        moment.rows.push_back({registry.exposed()[static_cast<std::size_t>(k)], FeatureMoment::kHead});
    append(heads.narrow(0, 0, classes));
    return moment;
}

std::vector<WatchedAnswer> Evaluator::watchedBeside(const ClassRegistry& registry, const Tensor& mask) {
    const auto unitOf = [&](std::int64_t sample) {
        return registry.unit(source_.labels()[static_cast<std::size_t>(sample)]);
    };
    std::vector<std::int64_t> left;
    for (const std::int64_t sample : watched_)
        if (!anytime_[static_cast<std::size_t>(sample)] && unitOf(sample) >= 0) left.push_back(sample);
    std::vector<WatchedAnswer> answers;
    if (left.empty()) return answers;
    const ShownImages shown = source_.images(left);
    if (shown.samples.empty()) return answers;
    const Tensor frozen = method_.usesFrozenFeatures() ? method_.frozenFeatures(shown.images) : Tensor();
    Tensor logits = method_.logits(method_.needsImages() ? shown.images : Tensor(), frozen);
    if (mask.defined()) logits = logits + mask;
    const std::vector<std::int64_t> guesses = indexVector(logits.argmax(1));
    const Tensor here = logits.to(at::kCPU);
    for (std::size_t i = 0; i < shown.samples.size(); ++i)
        answers.push_back(
            answerOf(shown.samples[i], unitOf(shown.samples[i]), guesses[i], here[static_cast<std::int64_t>(i)]));
    return answers;
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
    Asked recorded;
    recorded.anything = tested != TestPart::Early;
    recorded.top_classes = recorded.anything && record_.top_classes && record_.top_classes();
    std::vector<MappedFeatures> mapped;
    // What is only recorded never changes the run: without room it is left out.
    const auto record = [&](const auto& work) {
        if (recorded.anything && !hasRoomFor(work)) {
            recorded.anything = false;
            result.unrecorded = true;
        }
    };
    const auto gather = [&](Pass& batch, const std::vector<std::int64_t>& guesses) {
        const std::vector<Tensor>& numbers = batch.extras.numbers.get();
        if (numbers[0].defined()) {
            const std::vector<std::int64_t> units = indexVector(numbers[0].flatten());
            result.top_units.insert(result.top_units.end(), units.begin(), units.end());
            const Tensor shares = numbers[1].contiguous();
            const std::span<const float> flat(shares.data_ptr<float>(), static_cast<std::size_t>(shares.numel()));
            result.top_shares.insert(result.top_shares.end(), flat.begin(), flat.end());
        }
        if (numbers[2].defined()) mapped.push_back({batch.extras.mapped, numbers[2]});
        for (std::size_t i = 0; i < batch.extras.watched.size(); ++i) {
            const std::size_t place = batch.extras.watched[i];
            result.watched.push_back(answerOf(batch.samples[place], batch.units[place], guesses[place],
                                              numbers[3][static_cast<std::int64_t>(i)]));
        }
    };
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
        record([&] { gather(batch, guesses); });
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
    for (std::size_t first = 0; first < samples.size();) {
        if (ending()) {
            result.complete = false;
            return result;
        }
        Pass batch;
        if (!fits([&] { batch = pass(samples, first, registry, mask); })) return std::nullopt;
        first += part(samples, first).size();
        if (!batch.samples.empty()) record([&] { addExtras(batch, recorded); });
        batch.logits = batch.frozen = Tensor();
        count(before);
        before = std::move(batch);
    }
    count(before);
    record([&] { result.features = featureMoment(mapped, registry); });
    if (tested == TestPart::Anytime)
        record([&] {
            for (WatchedAnswer& answer : watchedBeside(registry, mask)) result.watched.push_back(std::move(answer));
        });
    std::ranges::sort(result.watched, {}, &WatchedAnswer::sample);
    if (result.unrecorded) {
        result.top_units.clear();
        result.top_shares.clear();
        result.watched.clear();
        result.features.reset();
    }
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
