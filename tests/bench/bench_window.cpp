// SPDX-License-Identifier: GPL-3.0-or-later
// Mutual cost of the real window and the real engine.
#include <benchmark/benchmark.h>

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

#include "engine/api.h"
#include "tests/bench/crowded_plot.h"
#include "ui/state/run_bridge.h"
#include "ui/state/run_controller.h"
#include "ui/stream/stream_preview.h"
#include "ui/window/main_window.h"

namespace palimpsest {
namespace {

constexpr int kPatienceMs = 300'000;

Experiment shapes(const Laboratory& lab, std::int64_t images) {
    Experiment experiment = OptionTable(lab.catalogue).defaults();
    experiment.stream.dataset = "shapes";
    experiment.stream.train_limit = images;
    experiment.stream.test_limit = 100;
    experiment.evaluation.every_samples = 80;
    return experiment;
}

class Ending : public RunObserver {
public:
    void onEnded(const RunEnded& event) override { ended = event; }
    RunEnded ended;
};

double speedOf(const RunEnded& ended) {
    if (ended.how != RunEnd::Finished) throw std::runtime_error(ended.error);
    return ended.summary.images_per_second;
}

double median(std::vector<double> values) {
    std::nth_element(values.begin(), values.begin() + std::ssize(values) / 2, values.end());
    return values[values.size() / 2];
}

/// The same run by itself and in the window, one after the other, so that both have the same conditions.
void trainingBesideTheWindow(benchmark::State& state) {
    const QTemporaryDir runs;
    const std::filesystem::path folder = runs.path().toStdString();
    const Laboratory lab = makeLaboratory(folder);
    const Experiment experiment = shapes(lab, state.range(0));
    MainWindow window(lab, folder);
    window.resize(1280, 800);
    window.show();
    window.controller()->draft()->restart(experiment);
    const auto* preview = window.findChild<StreamPreview*>("streamPreview");
    if (!QTest::qWaitFor([&] { return preview->stream() != nullptr; }, kPatienceMs))
        throw std::runtime_error("The stream is not planned.");
    std::vector<double> alone, beside, ratios;
    for (auto _ : state) {
        RunControl control;
        Ending ending;
        // A thread of its own, as in the window: OpenMP's helpers of a thread that does not end would slow down those
        // of the next run.
        std::thread([&] { lab.run(1, experiment, control, ending); }).join();
        alone.push_back(speedOf(ending.ended));
        QSignalSpy ended(window.controller()->bridge(), &RunBridge::ended);
        window.controller()->startOrResume();
        if (!QTest::qWaitFor([&] { return !ended.isEmpty(); }, kPatienceMs))
            throw std::runtime_error("The run does not end.");
        beside.push_back(speedOf(ended[0][0].value<RunEnded>()));
        ratios.push_back(beside.back() / alone.back());
    }
    state.counters["alone_images_s"] = median(alone);
    state.counters["window_images_s"] = median(beside);
    state.counters["ratio"] = median(ratios);
}

/// The same frames as crowdedFrames, while a run learns.
void crowdedFramesWhileTraining(benchmark::State& state) {
    const QTemporaryDir runs;
    const Laboratory lab = makeLaboratory(runs.path().toStdString());
    CrowdedPlot crowd(state.range(0), state.range(1));
    RunObserver nobody;
    RunService service(lab.run);
    service.start(shapes(lab, 1'000'000), nobody);
    for (auto _ : state) crowd.drawFrame(state.range(2));
    crowd.report(state);
    if (!service.busy()) state.SkipWithError("The run has ended.");
    service.abort();
}

BENCHMARK(trainingBesideTheWindow)->ArgName("images")->Arg(960)->Iterations(5)->Unit(benchmark::kSecond);
BENCHMARK(crowdedFramesWhileTraining)
    ->ArgNames({"runs", "points", "look"})
    ->Args({100, 1'000'000, CrowdedPlot::Still})
    ->Args({100, 1'000'000, CrowdedPlot::Growing})
    ->Iterations(200)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace palimpsest
