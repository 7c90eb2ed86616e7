// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "engine/record/run_folder.h"
#include "engine/record/run_folder_writer.h"
#include "tests/support/test_catalogue.h"

namespace palimpsest::testing {

// Events and records of made-up runs: 5 sessions of 1,200 images, ten classes, one disjoint and one blurry class new in
// each session.

inline constexpr std::int64_t kSessionImages = 1200;
inline constexpr std::int64_t kSessions = 5;
inline constexpr std::int64_t kImages = kSessions * kSessionImages;

inline Experiment madeUpExperiment(const std::string& mask, std::int64_t seed = 1) {
    Experiment experiment = OptionTable(testCatalogue()).defaults();
    experiment.name = mask + " run";
    experiment.seed = seed;
    experiment.mask.name = mask;
    experiment.stream.dataset = "fashion-mnist";
    experiment.stream.sessions = kSessions;
    experiment.evaluation.every_samples = 100;
    experiment.evaluation.session_data = "first-exposed";
    return experiment;
}

inline RunStarted madeUpStart(std::int64_t run, const std::string& folder, const std::string& mask,
                              std::int64_t seed = 1) {
    RunStarted event;
    event.run = run;
    event.folder = folder;
    event.experiment = madeUpExperiment(mask, seed);
    auto plan = std::make_shared<StreamPlan>();
    plan->sessions.assign(kSessions, std::vector<std::int64_t>(kSessionImages, 0));
    plan->disjoint_classes = {{0}, {2}, {4}, {6}, {8}};
    plan->blurry_classes = {{1}, {3}, {5}, {7}, {9}};
    event.plan = plan;
    event.class_names = {"T-shirt", "Trouser", "Pullover", "Dress", "Coat",
                         "Sandal",  "Shirt",   "Sneaker",  "Bag",   "Boot"};
    event.total_samples = kImages;
    event.fingerprint = "0123456789abcdef";
    return event;
}

inline Evaluated madeUpEvaluation(std::int64_t run, std::int64_t samples, double accuracy,
                                  EvaluationKind kind = EvaluationKind::Anytime) {
    Evaluated event;
    event.run = run;
    event.kind = kind;
    event.samples_seen = samples;
    event.session = std::min<std::int64_t>((samples - 1) / kSessionImages, kSessions - 1);
    event.accuracy = accuracy;
    event.classes.resize(static_cast<std::size_t>(2 * (event.session + 1)));
    return event;
}

/// End of a session with accuracies 0.9, 0.8, 0.7, ... of sessions 1, 2, 3, ..., each reduced by `lost` for every
/// session since.
inline SessionEnded madeUpSessionEnd(std::int64_t run, std::int64_t session, double lost = 0.02) {
    SessionEnded event;
    event.run = run;
    event.session = session;
    event.samples_seen = (session + 1) * kSessionImages;
    for (std::int64_t j = 0; j <= session; ++j)
        event.accuracies.push_back(
            {j, 0.9 - 0.1 * static_cast<double>(j) - lost * static_cast<double>(session - j), 100});
    return event;
}

inline RunRecord madeUpRecord(const std::string& folder, const std::string& mask, double level = 0.5,
                              std::int64_t seed = 1, std::int64_t every = 100) {
    RunRecord record;
    record.folder = folder;
    record.experiment = madeUpExperiment(mask, seed);
    record.state = RecordedState::Finished;
    record.started = "2026-03-01T10:00:00.125Z";
    record.total_samples = kImages;
    for (std::int64_t session = 0; session < kSessions; ++session)
        record.session_starts.push_back(session * kSessionImages);
    for (std::int64_t samples = every; samples <= kImages; samples += every)
        record.anytime.push_back({samples, std::min((samples - 1) / kSessionImages, kSessions - 1),
                                  level + 0.05 * std::sin(static_cast<double>(samples) / 300), 1, 10, samples});
    for (std::int64_t session = 0; session < kSessions; ++session)
        for (const SessionAccuracy& entry : madeUpSessionEnd(1, session, 0.1).accuracies)
            record.retention.push_back({session, entry.session, std::max(0.0, entry.accuracy), entry.samples});
    return record;
}

inline RunEnded madeUpEnd(std::int64_t run, RunEnd how) {
    RunEnded event;
    event.run = run;
    event.how = how;
    return event;
}

/// Writes a complete run folder; returns it.
inline std::filesystem::path writeMadeUpRun(const OptionTable& table, const std::filesystem::path& parent,
                                            const std::string& mask, std::int64_t seed = 1, bool ended = true) {
    const auto writer = RunFolderWriter::create(table, madeUpExperiment(mask, seed), parent);
    RunStarted started = madeUpStart(1, writer->folder().string(), mask, seed);
    writer->onStarted(started);
    for (std::int64_t samples = 500; samples <= kImages; samples += 500)
        writer->onEvaluated(madeUpEvaluation(1, samples, 0.5));
    if (ended) {
        RunEnded end;
        end.run = 1;
        end.folder = writer->folder().string();
        end.summary.a_auc = 0.5;
        end.summary.a_last_overall = 0.45;
        end.summary.f_last_classwise = 0.35;
        end.summary.a_last = 0.4;
        end.summary.f_last = 0.3;
        writer->onEnded(end);
    }
    return writer->folder();
}

/// Writes the folder of a run that was stopped in its third session; returns it.
inline std::filesystem::path writeStoppedRun(const OptionTable& table, const std::filesystem::path& parent) {
    const auto writer = RunFolderWriter::create(table, madeUpExperiment("batch"), parent);
    writer->onStarted(madeUpStart(1, writer->folder().string(), "batch"));
    for (std::int64_t samples = 500; samples <= 2500; samples += 500)
        writer->onEvaluated(madeUpEvaluation(1, samples, 0.5));
    for (const std::int64_t session : {0, 1}) writer->onSessionEnded(madeUpSessionEnd(1, session));
    RunEnded end = madeUpEnd(1, RunEnd::Stopped);
    end.folder = writer->folder().string();
    end.summary.sessions_ended = 2;
    end.summary.a_auc = 0.5;
    end.summary.a_last_overall = 0.65;
    end.summary.f_last_classwise = 0.15;
    end.summary.a_last = 0.6;
    end.summary.f_last = 0.1;
    writer->onEnded(end);
    return writer->folder();
}

}  // namespace palimpsest::testing
