// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/queue/sweep_inputs.h"

#include <cstddef>
#include <set>

#include "engine/record/run_folder.h"
#include "engine/report/grid_file.h"
#include "engine/sweep/sweep_plan.h"

namespace palimpsest {

std::vector<Experiment> sweepExperiments(const OptionTable& table, const std::filesystem::path& grid,
                                         const std::filesystem::path& folder) {
    const SweepPlan plan = planSweep(table, report::readGridFile(table, grid, FilePlace::Named), grid);
    std::vector<Experiment> experiments;
    std::set<std::size_t> lines;
    for (const SweepRun& run : plan.runs) {
        // Its seeds need the same.
        if (lines.contains(run.line) || readRunState(folder / "runs" / run.folder) == RecordedState::Finished) continue;
        lines.insert(run.line);
        experiments.push_back(run.experiment);
        if (run.prompts) experiments.back().initial_session.prompts = "none";
    }
    return experiments;
}

}  // namespace palimpsest
