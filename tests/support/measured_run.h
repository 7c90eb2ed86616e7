// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <filesystem>
#include <memory>
#include <vector>

#include "engine/record/feature_map.h"
#include "engine/record/run_folder_writer.h"
#include "engine/record/run_history.h"
#include "tests/support/made_up_runs.h"

namespace palimpsest::testing {

// A made-up run with all measurements: 100 test images, image i of class i modulo ten; evaluations after every 500 of
// 6,000 images.

inline constexpr std::int64_t kTestImages = 100;

inline TestClasses madeUpTestLabels() {
    std::vector<std::int32_t> labels;
    for (std::int64_t i = 0; i < kTestImages; ++i) labels.push_back(static_cast<std::int32_t>(i % 10));
    return std::make_shared<const std::vector<std::int32_t>>(std::move(labels));
}

inline std::int32_t classesSeenAt(std::int64_t samples) {
    return static_cast<std::int32_t>(2 * (std::min((samples - 1) / kSessionImages, kSessions - 1) + 1));
}

/// Classes come in order of their labels. Every tenth image of a class is predicted as the next class, and image 20 as
/// an output without a class.
inline TestClasses predictionsAt(std::int64_t samples) {
    const std::int32_t seen = classesSeenAt(samples);
    std::vector<std::int32_t> answers;
    for (std::int64_t i = 0; i < kTestImages; ++i) {
        const auto label = static_cast<std::int32_t>(i % 10);
        const bool wrong = i / 10 == 3;
        answers.push_back(label >= seen ? kNotTested : i == 20 ? kNoClassYet : wrong ? (label + 1) % seen : label);
    }
    return std::make_shared<const std::vector<std::int32_t>>(std::move(answers));
}

inline Evaluated measuredEvaluation(std::int64_t run, std::int64_t samples, bool prompts) {
    Evaluated event = madeUpEvaluation(run, samples, 0.5);
    event.classes.clear();
    for (std::int32_t label = 0; label < classesSeenAt(samples); ++label)
        event.classes.push_back({label, (samples / 100 + label) % 11, 10});
    event.predictions = predictionsAt(samples);
    if (prompts)
        for (std::int64_t k = 0; k < 4; ++k) event.prompt_use.push_back(samples * (k + 1) / 10);
    // The newest two classes are pulled up and the oldest is hidden.
    for (std::int32_t label = 0; prompts && label < classesSeenAt(samples); ++label) {
        ClassPush push{label, label + 2 < classesSeenAt(samples) ? -1.5 * label : 20.25, 0};
        if (push.push < 0) push.since = -0.01 * static_cast<double>(samples);
        if (label == 0 && classesSeenAt(samples) > 2) push.push.reset();
        event.pushes.push_back(push);
    }
    return event;
}

inline MemoryHeld measuredMemory(std::int64_t run, std::int64_t samples) {
    MemoryHeld held;
    held.run = run;
    held.samples_seen = samples;
    held.capacity = 20;
    std::vector<KeptSample> kept;
    for (std::int32_t label = 0; label < classesSeenAt(samples); ++label) {
        held.seen_classes.push_back(label);
        for (std::int64_t i = 0; i < 20 / classesSeenAt(samples); ++i) kept.push_back({i, label});
    }
    held.kept = std::move(kept);
    return held;
}

/// Features of the first four images of each class that has come, about a corner for each class, and the head's rows.
/// The points drift where `moves`, and the rows turn by a degree for every hundred images.
inline FeatureMoment featuresAt(std::int64_t samples, bool moves) {
    constexpr std::size_t kWidth = 12;
    FeatureMoment moment;
    moment.samples_seen = samples;
    moment.width = kWidth;
    moment.still = !moves;
    const auto add = [&](std::int32_t label, std::int64_t image, const auto& value) {
        moment.rows.push_back({label, image});
        for (std::size_t k = 0; k < kWidth; ++k) moment.values.push_back(static_cast<float>(value(k)));
    };
    const double drift = moves ? static_cast<double>(samples) * 1e-4 : 0;
    for (std::int32_t label = 0; label < classesSeenAt(samples); ++label)
        for (std::int64_t i = 0; i < 4; ++i)
            add(label, 10 * i + label, [&](std::size_t k) {
                const double corner = k == static_cast<std::size_t>(label) ? 2 : 0;
                return corner + 0.2 * std::sin(static_cast<double>(10 * i + label) * static_cast<double>(k + 1)) +
                       drift;
            });
    const double angle = static_cast<double>(samples) / 100 * 3.14159265358979 / 180;
    for (std::int32_t label = 0; label < classesSeenAt(samples); ++label)
        add(label, FeatureMoment::kHead, [&](std::size_t k) {
            const auto own = static_cast<std::size_t>(label);
            return k == own ? std::cos(angle) : k == own + 1 ? std::sin(angle) : 0.0;
        });
    return moment;
}

struct MeasuredRun {
    std::filesystem::path folder;
    RunHistory history;  ///< built from its events
};

/// Calls `tell` with each event of such a run, in order.
template <class Tell>
void tellMeasuredRun(std::int64_t run, const std::string& folder, bool everything, const Tell& tell) {
    RunStarted started = madeUpStart(run, folder, "batch");
    started.experiment.memory.size = everything ? 20 : 0;
    started.test_labels = madeUpTestLabels();
    tell(started);
    std::int64_t update = 0;
    for (std::int64_t samples = 100; samples <= kImages; samples += 100) {
        UpdateDone done;
        done.run = run;
        done.samples_seen = samples;
        done.update = ++update;
        done.loss = 2 / (1 + static_cast<double>(samples) / 1000);
        tell(done);
        if (samples % 500 != 0) continue;
        if (everything) tell(measuredMemory(run, samples));
        tell(measuredEvaluation(run, samples, everything));
    }
}

/// Writes its folder below `parent`, which may hold others.
inline MeasuredRun measureRun(const std::filesystem::path& parent, bool everything) {
    Experiment experiment = madeUpExperiment("batch");
    experiment.memory.size = everything ? 20 : 0;
    const auto writer = RunFolderWriter::create(OptionTable(testCatalogue()), experiment, parent);
    MeasuredRun result;
    result.folder = writer->folder();
    struct Both {
        RunFolderWriter& writer;
        RunHistory& history;
        void operator()(const RunStarted& event) const {
            writer.onStarted(event);
            history.add(event);
        }
        void operator()(const UpdateDone& event) const {
            writer.onUpdate(event);
            history.add(event);
        }
        void operator()(const MemoryHeld& event) const {
            writer.onMemory(event);
            history.add(event, 10);
        }
        void operator()(const Evaluated& event) const {
            writer.recordFeatures(featuresAt(event.samples_seen, !event.prompt_use.empty()), kImages);
            writer.onEvaluated(event);
            history.add(event);
        }
    };
    tellMeasuredRun(1, result.folder.string(), everything, Both{*writer, result.history});
    for (std::int64_t session = 0; session < kSessions; ++session) writer->onSessionEnded(madeUpSessionEnd(1, session));
    RunEnded end = madeUpEnd(1, RunEnd::Finished);
    end.folder = result.folder.string();
    writer->onEnded(end);
    return result;
}

}  // namespace palimpsest::testing
