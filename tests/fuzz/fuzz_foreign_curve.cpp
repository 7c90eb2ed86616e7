// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/library/import_run.h"
#include "engine/record/run_folder.h"
#include "tests/fuzz/option_table.h"
#include "tests/fuzz/target.h"

namespace palimpsest::fuzz_foreign_curve {

FUZZ_TARGET(foreign_curve, 300) {
    static fuzz::InputFolder results(
        {"l2p.csv", "misa/seed_3_eval.npy", "misa/seed_3_eval_time.npy", "misa/seed_3.npy"});
    results.fill(input);
    const std::filesystem::path runs = fuzz::scratchFolder() / "runs";
    for (const char* name : {"l2p.csv", "misa/seed_3_eval.npy"}) {
        const std::filesystem::path file = results.path() / name;
        if (!std::filesystem::exists(file)) continue;
        fuzz::answers([&] {
            const std::filesystem::path run =
                importRuns(fuzz::optionTable(), {.file = file, .name = {}, .out = runs, .seed = {}, .every = 0})
                    .folders.front();
            // What was made is read without a complaint.
            const RunRecord record = readRun(fuzz::optionTable(), run);
            fuzz::require(record.warnings.empty() && !record.anytime.empty(), "an imported run that cannot be read");
        });
        std::filesystem::remove_all(runs);
    }
}

}  // namespace palimpsest::fuzz_foreign_curve
