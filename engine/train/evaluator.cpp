// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/evaluator.h"

#include "engine/checkpoint/state_archive.h"
#include "engine/optim/output_units.h"

namespace palimpsest {
namespace {

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

}  // namespace

Evaluator::Evaluator(Method& method, TestSource& source, std::int64_t classes, bool seenOnly, std::int64_t batch,
                     at::Device device)
    : method_(method),
      source_(source),
      classes_(classes),
      seen_only_(seenOnly),
      batch_(batch),
      device_(device),
      known_(source.labels().size(), false) {}

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
    const Tensor fresh = method_.frozenFeatures(
        all ? shown.images : shown.images.index_select(0, at::tensor(rows, at::kLong).to(device_)));
    if (!features_.defined())
        features_ = at::zeros({static_cast<std::int64_t>(known_.size()), fresh.size(1)}, fresh.options());
    features_.index_copy_(0, at::tensor(samples, at::kLong).to(device_), fresh);
    for (const std::int64_t sample : samples) known_[static_cast<std::size_t>(sample)] = true;
}

std::vector<std::int64_t> Evaluator::samplesOf(const ClassRegistry& registry, std::int64_t classes) const {
    std::vector<std::int64_t> samples;
    for (std::size_t i = 0; i < source_.labels().size(); ++i)
        if (const std::int64_t unit = registry.unit(source_.labels()[i]); unit >= 0 && unit < classes)
            samples.push_back(static_cast<std::int64_t>(i));
    return samples;
}

std::span<const std::int64_t> Evaluator::part(const std::vector<std::int64_t>& samples, std::size_t first) const {
    const std::size_t from = std::min(first, samples.size());
    return std::span(samples).subspan(from, std::min(samples.size() - from, static_cast<std::size_t>(batch_)));
}

void Evaluator::keep(StateArchive& archive, const ClassRegistry& registry) {
    archive("rounds", rounds_);
    if (!archive.restoring()) return;
    for (const std::int64_t classes : rounds_) {
        const std::vector<std::int64_t> samples = samplesOf(registry, classes);
        for (std::size_t first = 0; first < samples.size(); first += static_cast<std::size_t>(batch_)) {
            std::vector<std::int64_t> unknown;
            for (const std::int64_t sample : part(samples, first))
                if (!knows(sample)) unknown.push_back(sample);
            if (!unknown.empty()) learnFeatures(source_.images(unknown));
        }
    }
}

Evaluation Evaluator::evaluate(const ClassRegistry& registry, const std::function<bool()>& ending) {
    NoGradGuard guard;
    Evaluation result;
    result.units.resize(static_cast<std::size_t>(registry.count()));
    const std::vector<std::int64_t> samples = samplesOf(registry, registry.count());
    const auto known = std::count(known_.begin(), known_.end(), true);
    const Tensor mask = seen_only_ ? seenMask(registry.count(), classes_, device_) : Tensor();
    method_.beginEvaluation(mask);
    double lossSum = 0;
    std::int64_t batches = 0;
    for (std::size_t first = 0; first < samples.size(); first += static_cast<std::size_t>(batch_)) {
        if (ending()) {
            result.complete = false;
            return result;
        }
        const std::vector<std::int64_t> wanted = needed(part(samples, first));
        const ShownImages shown = wanted.empty() ? ShownImages{} : source_.images(wanted);
        source_.expect(needed(part(samples, first + static_cast<std::size_t>(batch_))));
        const std::vector<std::int64_t> readable = withoutMissing(part(samples, first), wanted, shown.samples);
        if (readable.empty()) continue;
        if (method_.usesFrozenFeatures()) learnFeatures(shown);
        const Tensor frozen = method_.usesFrozenFeatures()
                                  ? features_.index_select(0, at::tensor(readable, at::kLong).to(device_))
                                  : Tensor();
        Tensor logits = method_.logits(method_.needsImages() ? shown.images : Tensor(), frozen);
        if (mask.defined()) logits = logits + mask;
        std::vector<std::int64_t> units;
        for (const std::int64_t sample : readable)
            units.push_back(registry.unit(source_.labels()[static_cast<std::size_t>(sample)]));
        const Tensor targets = at::tensor(units, at::kLong).to(device_);
        lossSum += at::cross_entropy_loss(logits, targets).item<double>() + method_.lastPenalty();
        ++batches;
        const Tensor guesses = logits.argmax(1).to(at::kCPU).contiguous();
        for (std::size_t i = 0; i < units.size(); ++i) {
            const std::int64_t guess = guesses.data_ptr<std::int64_t>()[i];
            result.predictions.push_back(guess);
            result.samples.push_back(readable[i]);
            Hits& hits = result.units[static_cast<std::size_t>(units[i])];
            ++hits.samples;
            if (guess == units[i]) ++hits.correct;
        }
    }
    if (std::count(known_.begin(), known_.end(), true) != known) rounds_.push_back(registry.count());
    result.accuracy = microAccuracy(result.units);
    result.loss = batches > 0 ? lossSum / static_cast<double>(batches) : 0;
    return result;
}

}  // namespace palimpsest
