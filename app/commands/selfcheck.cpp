// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "app/cli/output.h"
#include "app/commands/commands.h"
#include "engine/network/device_text.h"
#include "engine/run/engine_facts.h"
#include "engine/support/csv_table.h"
#include "engine/support/error.h"
#include "engine/support/file_io.h"
#include "engine/support/scratch_folder.h"
#include "engine/train/run_experiment.h"

namespace palimpsest {

namespace fs = std::filesystem;

namespace {

Experiment tinyExperiment(const OptionTable& table, const std::string& device) {
    Experiment experiment = table.defaults();
    constexpr std::array<std::pair<const char*, const char*>, 9> kSettings = {{{"name", "Self-check"},
                                                                               {"precision", "float32"},
                                                                               {"stream.dataset", "shapes"},
                                                                               {"stream.sessions", "2"},
                                                                               {"stream.train_limit", "192"},
                                                                               {"stream.test_limit", "64"},
                                                                               {"backbone.weights", "random"},
                                                                               {"training.updates_per_batch", "2"},
                                                                               {"evaluation.every_samples", "64"}}};
    for (const auto& [key, value] : kSettings) table.setText(experiment, key, value);
    table.setText(experiment, "device", device);
    return experiment;
}

void runInto(const fs::path& folder, const Experiment& experiment) {
    RunControl control;
    WithEnd<RunObserver, RunEnded> observer;
    runExperiment(1, experiment, FreshRun{{}, folder}, control, observer);
    if (observer.ended.how != RunEnd::Finished) throw runError(observer.ended.error, observer.ended.hint);
}

void compareRecords(const fs::path& first, const fs::path& second) {
    for (const char* file : {"anytime.csv", "sessions.csv", "classes.csv", "training.csv"}) {
        if (readTextFile(first / file) != readTextFile(second / file)) {
            throw runError(std::string("The same experiment gave another ") + file + " the second time.",
                           "Something on this machine changes results; report it with the output of bench.");
        }
    }
}

double firstLoss(const fs::path& folder) {
    const CsvTable table = readCsv(folder / "training.csv", {"loss"});
    if (table.rows.empty() || !std::isfinite(table.rows[0][0])) throw runError("The run recorded no finite loss.");
    return table.rows[0][0];
}

int selfcheck(const OptionTable& table, bool json) {
    const EngineFacts engine = engineFacts();
    if (!engine.problem.empty()) throw Error(engine.kind, engine.problem, engine.hint);
    const ScratchFolder folder("selfcheck");
    const Experiment onProcessor = tinyExperiment(table, "cpu");
    runInto(folder.path() / "first", onProcessor);
    runInto(folder.path() / "second", onProcessor);
    compareRecords(folder.path() / "first", folder.path() / "second");
    const double loss = firstLoss(folder.path() / "first");

    const std::string& device = engine.device;
    const bool hasGpu = !device.starts_with("CPU");
    if (hasGpu) {
        const Experiment onGpu = tinyExperiment(table, "cuda");
        runInto(folder.path() / "gpu", onGpu);
        runInto(folder.path() / "gpu-again", onGpu);
        compareRecords(folder.path() / "gpu", folder.path() / "gpu-again");
        const double other = firstLoss(folder.path() / "gpu");
        if (std::abs(loss - other) > 1e-3 * std::max(1.0, std::abs(loss))) {
            throw runError(
                "The first loss is " + toText(loss) + " on the processor, but " + toText(other) + " on " + device + ".",
                "Set device to cpu, and check the driver.");
        }
    }
    if (json) {
        printLine({{"ok", true},
                   {"device", device},
                   {"gpu_compared", hasGpu},
                   {"first_loss", loss},
                   {"engine", engine.module.string()},
                   {"libtorch", engine.libtorch},
                   {"gpu", engine.gpu},
                   {"threads", engine.threads},
                   {"advice", engineAdvice(engine)}});
    } else {
        const std::string advice = engineAdvice(engine);
        std::cout << "ok: the same tiny run gave the same numbers twice"
                  << (hasGpu ? ", and the processor and the GPU agree" : "") << "\n"
                  << twoColumns(engineRows(engine)) << (advice.empty() ? "" : advice + "\n") << std::flush;
    }
    return 0;
}

}  // namespace

void addSelfcheck(CLI::App& app, Shell& shell) {
    auto json = std::make_shared<bool>(false);
    CLI::App* command =
        app.add_subcommand("selfcheck", "Do a tiny run twice and compare, with the GPU too where there is one");
    command->add_flag("--json", *json, "Print a JSON object");
    shell.onChosen(*command, [&shell, json] { return selfcheck(shell.table(), *json); });
}

}  // namespace palimpsest
