// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include "engine/config/experiment_file.h"
#include "engine/report/sweep_table.h"
#include "engine/support/file_io.h"
#include "engine/sweep/sweep_draft.h"
#include "engine/sweep/sweep_plan.h"
#include "tests/support/made_up_runs.h"

namespace palimpsest::testing {

/// A sweep folder of two masks with the given seeds; no run has begun.
inline SweepPlan makeSweepFolder(const OptionTable& table, const std::filesystem::path& folder,
                                 const std::string& seeds) {
    SweepDraft draft;
    draft.title = "Masks";
    draft.base = madeUpExperiment("batch");
    draft.axes = {{"mask.name", "none, batch"}};
    draft.seeds = seeds;
    const SweepGrid grid = gridOf(table, draft);
    std::filesystem::create_directories(folder / "runs");
    replaceTextFile(folder / "sweep.toml", formatSweepGrid(grid));
    return planSweep(table, grid, folder / "sweep.toml");
}

/// Writes the folder of one of its runs with this A_AUC; absent: it is still running.
inline std::filesystem::path writeSweepRun(const OptionTable& table, const SweepRun& run,
                                           const std::filesystem::path& folder, std::optional<double> a_auc) {
    namespace fs = std::filesystem;
    const fs::path parent = folder / "making";
    const auto writer = RunFolderWriter::create(table, run.experiment, parent);
    RunStarted started = madeUpStart(1, writer->folder().string(), run.experiment.mask.name, run.experiment.seed);
    started.experiment = run.experiment;
    writer->onStarted(started);
    for (std::int64_t samples = 500; samples <= kImages / (a_auc ? 1 : 2); samples += 500)
        writer->onEvaluated(madeUpEvaluation(1, samples, a_auc.value_or(0.5)));
    if (a_auc) {
        RunEnded end;
        end.run = 1;
        end.folder = writer->folder().string();
        end.summary.a_auc = *a_auc;
        end.summary.seconds = 60;
        writer->onEnded(end);
    }
    fs::rename(writer->folder(), folder / "runs" / run.folder);
    return folder / "runs" / run.folder;
}

/// Writes all runs of a plan as finished, which share the tables of the first.
inline void writeSweepRuns(const OptionTable& table, const SweepPlan& plan, const std::filesystem::path& folder) {
    namespace fs = std::filesystem;
    const fs::path first = writeSweepRun(table, plan.runs.front(), folder, 0.5);
    for (std::size_t i = 1; i < plan.runs.size(); ++i) {
        const fs::path own = folder / "runs" / plan.runs[i].folder;
        fs::create_directories(own);
        for (const char* same : {"run.json", "summary.json", "anytime.csv", "sessions.csv"})
            if (fs::exists(first / same)) fs::create_hard_link(first / same, own / same);
        std::ofstream(own / "experiment.toml") << formatExperiment(table, plan.runs[i].experiment);
    }
}

}  // namespace palimpsest::testing
