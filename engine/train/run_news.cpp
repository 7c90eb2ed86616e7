// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/run_news.h"

#include <algorithm>
#include <memory>
#include <span>
#include <utility>

#include "datasets/catalogue/catalogue.h"
#include "engine/config/experiment_differences.h"
#include "engine/record/resumable.h"
#include "engine/stream/experiment_stream.h"
#include "engine/support/format.h"

namespace palimpsest {
namespace {

std::int64_t parameterCount(const Method& method) {
    std::int64_t count = 0;
    for (const auto& [name, tensor] : method.trainable()) count += tensor.numel();
    return count;
}

/// Predicted class of each test image.
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

/// Most probable classes of each test image. The answer stands first, also where shares are equal, as all are before
/// anything is learned, and where they are no numbers, as in a network that has diverged.
TestTopClasses topClasses(const Evaluation& evaluation, const std::vector<std::int32_t>& seen,
                          std::int64_t testImages) {
    if (testImages <= 0 || evaluation.samples.empty() || evaluation.top_units.empty()) return nullptr;
    const auto labelOf = [&](std::int64_t unit) {
        const auto place = static_cast<std::size_t>(unit);
        return place < seen.size() ? seen[place] : kNoClassYet;
    };
    const std::size_t top = evaluation.top_units.size() / evaluation.samples.size();
    std::vector<TopClasses> images(static_cast<std::size_t>(testImages));
    for (std::size_t i = 0; i < evaluation.samples.size(); ++i) {
        TopClasses& image = images[static_cast<std::size_t>(evaluation.samples[i])];
        const auto units = std::span(evaluation.top_units).subspan(i * top, top);
        const auto shares = std::span(evaluation.top_shares).subspan(i * top, top);
        const std::int64_t answer = evaluation.predictions[i];
        const auto place = static_cast<std::size_t>(std::ranges::find(units, answer) - units.begin());
        const float share = shares[std::min(place, top - 1)];
        image[0] = {labelOf(answer), share > 0 ? share : 0};
        std::size_t next = 1;
        // A unit that inference hides is no class that the image may be.
        for (std::size_t other = 0; other < top; ++other)
            if (units[other] != answer && shares[other] > 0 && next < kTopClasses)
                image[next++] = {labelOf(units[other]), shares[other]};
    }
    return std::make_shared<const std::vector<TopClasses>>(std::move(images));
}

}  // namespace

RunStarted startedEvent(const OptionTable& table, const Experiment& experiment, const ImageDataset& data,
                        const std::shared_ptr<const StreamPlan>& plan, const Compute& compute, const Method& method,
                        const std::string& promptsNote) {
    RunStarted started;
    started.plan = plan;
    started.class_names = data.class_names;
    started.fingerprint = plan->fingerprint();
    started.device = compute.deviceName();
    started.precision = compute.precisionName();
    started.threads = compute.threads;
    started.total_samples = plan->totalSamples();
    started.trainable_parameters = parameterCount(method);
    started.prompt_lengths = method.promptLengths();
    started.program = method.program();
    started.warnings =
        lintExperimentStream(experiment, *plan, data.train->labels(), data.test->labels(), data.class_names);
    // Limits choose from what is there, so only whole parts can be compared.
    const std::string numbers =
        numbersNote(catalogueEntry(data.name), experiment.stream.train_limit > 0 ? -1 : data.train->size(),
                    experiment.stream.test_limit > 0 ? -1 : data.test->size());
    if (!numbers.empty()) started.warnings.push_back(numbers);
    const std::vector<bool> part = anytimePart(data.test->labels(), experiment.evaluation.anytime_part);
    const auto tested = std::count(part.begin(), part.end(), true);
    if (experiment.evaluation.every_samples > 0 && tested < data.test->size())
        started.warnings.push_back("The points between session ends are measured on " + grouped(tested) + " of the " +
                                   grouped(data.test->size()) +
                                   " test images; set evaluation.anytime_part to 0 for all.");
    started.test_labels =
        std::make_shared<const std::vector<std::int32_t>>(data.test->labels().begin(), data.test->labels().end());
    if (!promptsNote.empty()) started.warnings.push_back(promptsNote);
    if (const std::string note = precisionNote(compute); !note.empty()) started.warnings.push_back(note);
    for (const std::string& note : table.idleNotes(experiment)) started.warnings.push_back(note);
    for (const std::string& note : table.methodNotes(experiment)) started.warnings.push_back(note);
    return started;
}

BatchLearned batchEvent(std::int64_t run, const LoopListener::Batch& batch, const std::vector<std::int32_t>& seen) {
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

Evaluated evaluationEvent(const Evaluation& evaluation, const std::vector<std::int32_t>& seen,
                          std::int64_t testImages) {
    Evaluated event;
    event.accuracy = evaluation.accuracy;
    event.loss = evaluation.loss;
    event.reference = evaluation.reference;
    for (std::size_t unit = 0; unit < evaluation.units.size(); ++unit)
        event.classes.push_back({seen[unit], evaluation.units[unit].correct, evaluation.units[unit].samples});
    event.predictions = predictedClasses(evaluation, seen, testImages);
    event.top_classes = topClasses(evaluation, seen, testImages);
    return event;
}

std::vector<WatchedShare> watchedRows(const Evaluation& evaluation, const std::vector<std::int32_t>& seen) {
    std::vector<WatchedShare> rows;
    for (const WatchedAnswer& answer : evaluation.watched)
        for (const auto& [unit, probability] : answer.units)
            rows.push_back({answer.sample, unit < std::ssize(seen) ? seen[static_cast<std::size_t>(unit)] : kNoClassYet,
                            probability});
    return rows;
}

MemoryHeld memoryEvent(std::int64_t run, std::int64_t samplesSeen, const SampleMemory& memory, const TrainSource& train,
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
