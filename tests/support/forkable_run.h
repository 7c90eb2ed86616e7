// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "engine/record/checkpoints.h"
#include "tests/support/made_up_runs.h"

namespace palimpsest::testing {

/// Writes the folder of a made-up run with descriptions of checkpoints after the given numbers of images; returns it.
/// Its mask was changed to `changed` after 800 images, unless that is empty.
inline std::filesystem::path writeForkableRun(const OptionTable& table, const std::filesystem::path& parent,
                                              const std::string& mask, const std::vector<std::int64_t>& checkpoints,
                                              const std::string& changed = {}) {
    const auto writer = RunFolderWriter::create(table, madeUpExperiment(mask), parent);
    RunStarted started = madeUpStart(1, writer->folder().string(), mask);
    started.device = "cpu";
    started.precision = "float32";
    started.threads = 1;
    writer->onStarted(started);
    if (!changed.empty()) writer->recordCommand(800, "change", "mask.name=" + changed);
    for (std::int64_t samples = 500; samples <= kImages; samples += 500)
        writer->onEvaluated(madeUpEvaluation(1, samples, 0.5));
    for (const std::int64_t samples : checkpoints) {
        std::filesystem::create_directories(checkpointsFolder(writer->folder()));
        CheckpointRecord record;
        record.samples_seen = samples;
        record.mark = writer->mark();
        writeCheckpointRecord(writer->folder(), record);
    }
    RunEnded end = madeUpEnd(1, RunEnd::Finished);
    end.folder = writer->folder().string();
    end.summary.a_auc = 0.5;
    end.summary.a_last = 0.3;
    end.summary.a_last_overall = 0.4;
    writer->onEnded(end);
    return writer->folder();
}

/// Marks the run of a folder as a fork.
inline void nameParent(const std::filesystem::path& run, const std::filesystem::path& parent, std::int64_t at) {
    const std::filesystem::path file = run / "run.json";
    std::ifstream in(file);
    nlohmann::ordered_json json = nlohmann::ordered_json::parse(in);
    in.close();
    json["parent"] = {{"run", parent.string()}, {"samples_seen", at}};
    std::ofstream(file) << json.dump(1) << '\n';
}

}  // namespace palimpsest::testing
