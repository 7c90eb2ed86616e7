// SPDX-License-Identifier: GPL-3.0-or-later
// Points to pixels: what one frame of the anytime figure costs.
#include <benchmark/benchmark.h>

#include <qcustomplot.h>

#include <QApplication>
#include <algorithm>
#include <chrono>
#include <random>
#include <vector>

#include "tests/support/made_up_runs.h"
#include "ui/accuracy_plot.h"
#include "ui/curve_store.h"
#include "ui/theme.h"

namespace palimpsest {
namespace {

/// Arguments: runs, evaluations a run.
void replotAccuracy(benchmark::State& state) {
    const auto runs = state.range(0), points = state.range(1);
    CurveStore store;
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

/// One new point a frame, into a run that already has many.
void appendAndReplot(benchmark::State& state) {
    CurveStore store;
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

/// What a person sees of a hundred long curves: median and 99th percentile of single frames. `look`: 0 still, 1 one new
/// point a frame, 2 the figure is moved, 3 it is zoomed.
void crowdedFrames(benchmark::State& state) {
    const auto runs = state.range(0), points = state.range(1), look = state.range(2);
    CurveStore store;
    AccuracyPlot plot(&store);
    plot.resize(1000, 400);
    plot.show();
    RunStarted start = testing::madeUpStart(1, "", "batch");
    start.total_samples = points * 11;
    store.onStarted(start);
    std::int64_t samples = 0;
    std::mt19937 noise(7);
    std::normal_distribution<double> wobble(0, 0.03);
    const auto append = [&] {
        samples += 10;
        store.onEvaluated(testing::madeUpEvaluation(1, samples, 0.5 + wobble(noise)));
    };
    for (std::int64_t i = 0; i < points; ++i) append();
    for (std::int64_t i = 1; i < runs; ++i) {
        const std::string folder = "/runs/" + std::to_string(i);
        RunRecord record = testing::madeUpRecord(folder, "none", 0.5, i);
        record.total_samples = points * 11;
        record.anytime.clear();
        const double level = 0.2 + 0.6 * static_cast<double>(i) / static_cast<double>(runs);
        for (std::int64_t k = 1; k <= points; ++k)
            record.anytime.push_back({k * 10, 0, level + wobble(noise), 1, 10, k});
        store.addRecord(record);
        store.setVisible(QString::fromStdString(folder), true);
    }
    plot.drawNow();
    std::vector<double> times;
    double turn = 0;
    for (auto _ : state) {
        const auto begin = std::chrono::steady_clock::now();
        const double whole = static_cast<double>(points) * 11;
        if (look == 1) append();
        if (look == 2) plot.canvas()->xAxis->setRange(turn * whole / 1000, (turn + 300) * whole / 1000);
        if (look == 3) plot.canvas()->xAxis->setRange(whole * 0.3, whole * (0.3 + 0.6 / (1 + turn / 10)));
        plot.drawNow();
        times.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
        turn += 1;
    }
    std::sort(times.begin(), times.end());
    state.counters["p50_ms"] = times[times.size() / 2];
    state.counters["p99_ms"] = times[times.size() * 99 / 100];
    state.counters["points"] = static_cast<double>(runs * points);
}

BENCHMARK(crowdedFrames)
    ->ArgNames({"runs", "points", "look"})
    ->Args({100, 1'000'000, 0})
    ->Args({100, 1'000'000, 1})
    ->Args({100, 1'000'000, 2})
    ->Args({100, 1'000'000, 3})
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

int main(int argc, char** argv) {
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    palimpsest::applyAppearance(application, palimpsest::Appearance::Dark);
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return 0;
}
