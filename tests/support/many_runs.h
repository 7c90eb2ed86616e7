// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "engine/config/experiment_file.h"
#include "engine/library/run_notes.h"
#include "tests/support/file_content.h"
#include "tests/support/made_up_runs.h"

namespace palimpsest::testing {

/// Writes folders of finished runs, five seeds of each experiment, a minute apart; every seventh has a tag.
inline void writeManyRuns(const OptionTable& table, const std::filesystem::path& parent, int count) {
    namespace fs = std::filesystem;
    const std::array masks{"none", "seen", "batch", "session"};
    const fs::path first = writeMadeUpRun(table, parent / "first", "batch");
    const std::string json = test::contentOf(first / "run.json");
    const std::size_t at = json.find("\"started\"");
    const std::size_t from = json.find('"', json.find(':', at)) + 1, to = json.find('"', from);
    for (int i = 0; i < count; ++i) {
        Experiment experiment = madeUpExperiment(masks[static_cast<std::size_t>(i / 5) % masks.size()], i % 5 + 1);
        experiment.name = "experiment " + std::to_string(i / 5);
        experiment.training.batch_size = i / 5 + 1;
        const fs::path folder = parent / ("run-" + std::to_string(i));
        fs::create_directories(folder);
        for (const char* same : {"summary.json", "anytime.csv", "sessions.csv"})
            if (fs::exists(first / same)) fs::create_hard_link(first / same, folder / same);
        std::ofstream(folder / "experiment.toml") << formatExperiment(table, experiment);
        std::array<char, 32> started{};
        std::snprintf(started.data(), started.size(), "2026-%02d-%02dT%02d:%02d:00.000Z", 1 + i / 40320 % 12,
                      1 + i / 1440 % 28, i / 60 % 24, i % 60);
        std::ofstream(folder / "run.json") << json.substr(0, from) << started.data() << json.substr(to);
        if (i % 7 == 0) writeNotes(folder, {{"seventh"}, {}, {}, false});
    }
    fs::remove_all(parent / "first");
}

}  // namespace palimpsest::testing
