// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/record/run_check.h"
#include "engine/record/run_folder.h"
#include "tests/fuzz/option_table.h"
#include "tests/fuzz/target.h"

namespace palimpsest::fuzz_repaired_run {

/// A damaged run that is repaired is sound, and can be read.
FUZZ_TARGET(repaired_run, 200) {
    static fuzz::InputFolder run({"run.json",
                                  "experiment.toml",
                                  "summary.json",
                                  "library.json",
                                  "anytime.csv",
                                  "sessions.csv",
                                  "classes.csv",
                                  "training.csv",
                                  "commands.csv",
                                  "predictions.csv",
                                  "predictions/labels.npy",
                                  "predictions/00000500.npy",
                                  "predictions/00000600.npy",
                                  "predictions/top-00000500.npy",
                                  "predictions/top-00000600.npy",
                                  "watched.csv",
                                  "features.csv",
                                  "checkpoints/00000500.json",
                                  "checkpoints/00000500.safetensors",
                                  "checkpoints/00000600.json",
                                  "checkpoints/00000600.safetensors"});
    run.clear();
    run.fill(input);
    const OptionTable& table = fuzz::optionTable();
    fuzz::answers([&] {
        const RunCheck before = checkRun(table, run.path());
        fuzz::requireLines(before.damage);
        if (!before.repairable()) return;
        repairRun(before);
        const RunCheck after = checkRun(table, run.path());
        const std::string left = after.damage.empty() ? "" : "still damaged: " + after.damage.front();
        fuzz::require(left.empty(), left.c_str());
        readRun(table, run.path());
    });
}

}  // namespace palimpsest::fuzz_repaired_run
