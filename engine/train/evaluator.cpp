// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/evaluator.h"

#include "engine/train/logit_mask.h"

namespace palimpsest {

Evaluator::Evaluator(Method& method, TestSource& source, std::int64_t classes, bool seenOnly, std::int64_t batch,
                     at::Device device)
    : method_(method),
      source_(source),
      classes_(classes),
      seen_only_(seenOnly),
      batch_(batch),
      device_(device),
      known_(source.labels().size(), false) {}

Tensor Evaluator::frozenFeatures(std::span<const std::int64_t> samples, Tensor& images) {
    std::vector<std::int64_t> missing;
    for (const std::int64_t sample : samples)
        if (!known_[static_cast<std::size_t>(sample)]) missing.push_back(sample);
    if (!missing.empty()) {
        const bool all = missing.size() == samples.size() && images.defined();
        const Tensor fresh = method_.frozenFeatures(all ? images : source_.images(missing));
        if (!features_.defined())
            features_ = at::zeros({static_cast<std::int64_t>(known_.size()), fresh.size(1)}, fresh.options());
        features_.index_copy_(0, at::tensor(missing, at::kLong).to(device_), fresh);
        for (const std::int64_t sample : missing) known_[static_cast<std::size_t>(sample)] = true;
    }
    const std::vector<std::int64_t> rows(samples.begin(), samples.end());
    return features_.index_select(0, at::tensor(rows, at::kLong).to(device_));
}

Evaluation Evaluator::evaluate(const ClassRegistry& registry, const std::function<bool()>& ending) {
    NoGradGuard guard;
    Evaluation result;
    result.units.resize(static_cast<std::size_t>(registry.count()));
    std::vector<std::int64_t> samples, units;
    for (std::size_t i = 0; i < source_.labels().size(); ++i) {
        const std::int64_t unit = registry.unit(source_.labels()[i]);
        if (unit < 0) continue;
        samples.push_back(static_cast<std::int64_t>(i));
        units.push_back(unit);
    }
    const Tensor mask = seen_only_ ? seenMask(registry.count(), classes_, device_) : Tensor();
    double lossSum = 0;
    std::int64_t batches = 0;
    for (std::size_t first = 0; first < samples.size(); first += static_cast<std::size_t>(batch_)) {
        if (ending()) {
            result.complete = false;
            return result;
        }
        const std::size_t count = std::min(samples.size() - first, static_cast<std::size_t>(batch_));
        const std::span<const std::int64_t> part(samples.data() + first, count);
        Tensor images = method_.needsImages() ? source_.images(part) : Tensor();
        const Tensor frozen = method_.usesFrozenFeatures() ? frozenFeatures(part, images) : Tensor();
        Tensor logits = method_.logits(images, frozen);
        if (mask.defined()) logits = logits + mask;
        const Tensor targets = at::tensor(std::vector<std::int64_t>(units.begin() + static_cast<std::ptrdiff_t>(first),
                                                                    units.begin() + static_cast<std::ptrdiff_t>(first + count)),
                                          at::kLong)
                                   .to(device_);
        lossSum += at::cross_entropy_loss(logits, targets).item<double>() + method_.lastPenalty();
        ++batches;
        const Tensor guesses = logits.argmax(1).to(at::kCPU).contiguous();
        for (std::size_t i = 0; i < count; ++i) {
            const std::int64_t guess = guesses.data_ptr<std::int64_t>()[i], unit = units[first + i];
            result.predictions.push_back(guess);
            Hits& hits = result.units[static_cast<std::size_t>(unit)];
            ++hits.samples;
            if (guess == unit) ++hits.correct;
        }
    }
    result.accuracy = microAccuracy(result.units);
    result.loss = batches > 0 ? lossSum / static_cast<double>(batches) : 0;
    return result;
}

}  // namespace palimpsest
