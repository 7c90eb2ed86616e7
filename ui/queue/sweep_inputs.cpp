// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/queue/sweep_inputs.h"

#include <cstddef>
#include <set>

#include "engine/record/run_folder.h"
#include "engine/report/grid_file.h"
#include "engine/support/error.h"
#include "engine/sweep/sweep_plan.h"

namespace palimpsest {

void checkSweepInputs(const OptionTable& table, const std::filesystem::path& grid, const std::filesystem::path& folder,
                      const std::function<void(const Experiment&)>& check) {
    const SweepPlan plan = planSweep(table, report::readGridFile(table, grid, FilePlace::Named), grid);
    std::set<std::size_t> lines;
    for (const SweepRun& run : plan.runs) {
        // Its seeds need the same.
        if (lines.contains(run.line) || readRunState(folder / "runs" / run.folder) == RecordedState::Finished) continue;
        lines.insert(run.line);
        Experiment experiment = run.experiment;
        if (run.prompts) experiment.initial_session.prompts = "none";
        try {
            check(experiment);
        } catch (const Error& error) {
            throw errorInRow(grid, plan.lines[run.line].name, error);
        }
    }
}

}  // namespace palimpsest
