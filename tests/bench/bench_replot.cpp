// SPDX-License-Identifier: GPL-3.0-or-later
// Cost of one frame of the anytime figure, from points to pixels.
#include <benchmark/benchmark.h>

#include <cmath>

#include "tests/bench/crowded_plot.h"
#include "tests/support/made_up_runs.h"
#include "ui/figures/accuracy_plot.h"
#include "ui/state/run_set.h"

namespace palimpsest {
namespace {

/// Arguments: runs, evaluations a run.
void replotAccuracy(benchmark::State& state) {
    const auto runs = state.range(0), points = state.range(1);
    RunSet store;
    AccuracyPlot plot(&store);
    plot.resize(1000, 400);
    plot.show();
    for (std::int64_t i = 0; i < runs; ++i) {
        const std::string folder = "/runs/" + std::to_string(i);
        RunRecord record =
            testing::madeUpRecord(folder, i % 2 ? "batch" : "none", 0.3 + 0.05 * static_cast<double>(i), i);
        record.total_samples = points * 10;
        record.anytime.clear();
        for (std::int64_t k = 1; k <= points; ++k)
            record.anytime.push_back(
                {k * 10, 0, 0.3 + 0.05 * static_cast<double>(i) + 0.02 * std::sin(k * 0.7), 1, 10, k});
        store.addRecord(record);
        store.setVisible(QString::fromStdString(folder), true);
    }
    plot.drawNow();
    for (auto _ : state) plot.drawNow();
    state.counters["points"] = static_cast<double>(runs * points);
}

/// One new point a frame, in a run that already has many.
void appendAndReplot(benchmark::State& state) {
    RunSet store;
    AccuracyPlot plot(&store);
    plot.resize(1000, 400);
    plot.show();
    RunStarted start = testing::madeUpStart(1, "", "batch");
    start.total_samples = 1'000'000'000;
    store.onStarted(start);
    std::int64_t samples = 0;
    const auto append = [&] {
        samples += 1000;
        store.onEvaluated(testing::madeUpEvaluation(1, samples, 0.5 + 0.1 * std::sin(static_cast<double>(samples))));
    };
    for (std::int64_t i = 0; i < state.range(0); ++i) append();
    plot.drawNow();
    for (auto _ : state) {
        append();
        plot.drawNow();
    }
}

/// Frames with a hundred long curves.
void crowdedFrames(benchmark::State& state) {
    CrowdedPlot crowd(state.range(0), state.range(1));
    for (auto _ : state) crowd.drawFrame(state.range(2));
    crowd.report(state);
}

BENCHMARK(crowdedFrames)
    ->ArgNames({"runs", "points", "look"})
    ->Args({100, 1'000'000, CrowdedPlot::Still})
    ->Args({100, 1'000'000, CrowdedPlot::Growing})
    ->Args({100, 1'000'000, CrowdedPlot::Moved})
    ->Args({100, 1'000'000, CrowdedPlot::Zoomed})
    ->Iterations(200)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(replotAccuracy)
    ->ArgNames({"runs", "points"})
    ->Args({1, 60})
    ->Args({10, 60})
    ->Args({10, 1000})
    ->Args({1, 100000})
    ->Args({10, 100000})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(appendAndReplot)->ArgName("points")->Arg(60)->Arg(100000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace palimpsest
