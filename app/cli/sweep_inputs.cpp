// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/sweep_inputs.h"

#include <algorithm>
#include <set>
#include <string>
#include <tuple>

#include "engine/run/dataset_service.h"
#include "engine/support/error.h"
#include "engine/train/experiment_inputs.h"

namespace palimpsest {

namespace {

template <class Work>
void inRow(const SweepPlan& plan, std::size_t place, const std::filesystem::path& grid, const Work& work) {
    const SweepRun& run = plan.runs[place];
    try {
        work(run.experiment);
    } catch (const Error& error) {
        throw Error(error.kind(), grid.string() + ", \"" + plan.lines[run.line].name + "\": " + error.what(),
                    error.hint());
    }
}

}  // namespace

void requireSweepFiles(const OptionTable& table, const SweepPlan& plan, const std::vector<std::size_t>& places,
                       const std::filesystem::path& grid) {
    // Missing files are found first, before large ones are read.
    for (const std::size_t place : places) {
        inRow(plan, place, grid, [&](const Experiment& experiment) { requireNamedFiles(table, experiment); });
    }
    // One run a line is enough, since seeds do not matter here. Runs with the same backbone are checked together.
    std::vector<std::size_t> firsts;
    std::set<std::size_t> lines;
    for (const std::size_t place : places) {
        if (lines.insert(plan.runs[place].line).second) firsts.push_back(place);
    }
    const auto backbone = [&](std::size_t place) {
        const BackboneOptions& b = plan.runs[place].experiment.backbone;
        return std::tie(b.weights, b.name, b.activation, b.heads, b.image_size);
    };
    std::stable_sort(firsts.begin(), firsts.end(),
                     [&](std::size_t a, std::size_t b) { return backbone(a) < backbone(b); });
    ExperimentCheck trial(table);
    for (const std::size_t place : firsts) {
        inRow(plan, place, grid, [&](const Experiment& experiment) { trial.check(experiment); });
    }
}

void requireSweepData(const SweepPlan& plan, const std::vector<std::size_t>& places,
                      const std::filesystem::path& grid) {
    std::set<std::string> known;
    for (const std::size_t place : places) {
        const bool fresh = known.insert(imagesKey(plan.runs[place].experiment.stream)).second;
        if (fresh) inRow(plan, place, grid, [](const Experiment& experiment) { experimentLabels(experiment); });
    }
}

}  // namespace palimpsest
