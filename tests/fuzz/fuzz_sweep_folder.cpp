// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/report/report_inputs.h"
#include "engine/sweep/sweep_results.h"
#include "tests/fuzz/option_table.h"
#include "tests/fuzz/target.h"

namespace palimpsest::fuzz_sweep_folder {

/// The folder of a sweep, as a report and the sweep itself read it when it goes on.
FUZZ_TARGET(sweep_folder, 800) {
    static fuzz::InputFolder sweep({"sweep.json", "runs/001-first/run.json", "runs/001-first/summary.json",
                                    "runs/001-first/anytime.csv", "runs/001-first/experiment.toml",
                                    "runs/001-first.log", "runs/002-second/run.json", "runs/002-second.log"});
    sweep.fill(input);
    fuzz::answers([&] { report::collectRunFolders({sweep.path()}); });
    SweepPlan plan;
    plan.title = "A sweep";
    plan.metrics = {"a_auc"};
    plan.seeds = {1};
    for (const char* name : {"first", "second"}) {
        SweepLine& line = plan.lines.emplace_back();
        line.name = name;
        SweepRun& run = plan.runs.emplace_back();
        run.number = std::ssize(plan.runs);
        run.line = plan.lines.size() - 1;
        run.folder = "00" + std::to_string(run.number) + "-" + name;
        run.experiment = fuzz::optionTable().defaults();
    }
    keepRunFolders(fuzz::optionTable(), plan, sweep.path() / "runs");
    fuzz::requireLine(settingsChangedSince(fuzz::optionTable(), plan, sweep.path() / "runs"));
    std::vector<SweepResult> results;
    for (const SweepRun& run : plan.runs) {
        results.push_back(readSweepRun(fuzz::optionTable(), run, sweep.path() / "runs"));
        fuzz::requireLine(results.back().error);
        fuzz::requireLine(results.back().versions);
        fuzz::answers([&] {
            const std::string name = beginAttempt(fuzz::optionTable(), run, sweep.path() / "runs");
            std::filesystem::remove(sweep.path() / "runs" / (name + ".toml"));
        });
    }
    sweepJson(plan, results, "[]", "[]");
}

}  // namespace palimpsest::fuzz_sweep_folder
