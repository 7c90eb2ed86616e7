// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/run_news.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace palimpsest {
namespace {

/// What each test image was taken for.
TestClasses predictedClasses(const Evaluation& evaluation, const std::vector<std::int32_t>& seen,
                             std::int64_t testImages) {
    if (testImages <= 0) return nullptr;
    std::vector<std::int32_t> classes(static_cast<std::size_t>(testImages), kNotTested);
    for (std::size_t i = 0; i < evaluation.samples.size(); ++i) {
        const auto unit = static_cast<std::size_t>(evaluation.predictions[i]);
        classes[static_cast<std::size_t>(evaluation.samples[i])] = unit < seen.size() ? seen[unit] : kNoClassYet;
    }
    return std::make_shared<const std::vector<std::int32_t>>(std::move(classes));
}

}  // namespace

BatchLearned batchNews(std::int64_t run, const LoopListener::Batch& batch, const std::vector<std::int32_t>& seen) {
    BatchLearned event;
    event.run = run;
    event.batch = batch.number;
    event.samples_seen = batch.samples_seen;
    event.session = batch.session;
    event.loss = batch.last.loss;
    event.accuracy = batch.last.accuracy;
    event.seen_classes = seen;
    for (std::size_t unit = 0; unit < event.seen_classes.size(); ++unit)
        if (batch.visible[unit]) event.visible_classes.push_back(event.seen_classes[unit]);
    // Which class takes which of the outputs behind them is not known before it comes.
    event.unseen_open = std::find(batch.visible.begin() + std::ssize(event.seen_classes), batch.visible.end(), true) !=
                        batch.visible.end();
    return event;
}

Evaluated evaluationNews(const Evaluation& evaluation, const std::vector<std::int32_t>& seen, std::int64_t testImages) {
    Evaluated event;
    event.accuracy = evaluation.accuracy;
    event.loss = evaluation.loss;
    for (std::size_t unit = 0; unit < evaluation.units.size(); ++unit)
        event.classes.push_back({seen[unit], evaluation.units[unit].correct, evaluation.units[unit].samples});
    event.predictions = predictedClasses(evaluation, seen, testImages);
    return event;
}

MemoryHeld memoryNews(std::int64_t run, std::int64_t samplesSeen, const SampleMemory& memory, const TrainSource& train,
                      const std::vector<std::int32_t>& seen) {
    MemoryHeld held;
    held.run = run;
    held.samples_seen = samplesSeen;
    held.capacity = memory.capacity();
    std::vector<KeptSample> kept;
    for (const std::int64_t sample : memory.samples()) kept.push_back({sample, train.label(sample)});
    held.kept = std::move(kept);
    held.seen_classes = seen;
    return held;
}

}  // namespace palimpsest
