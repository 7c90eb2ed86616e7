// SPDX-License-Identifier: GPL-3.0-or-later
// Cost of one step of a slider, up to the picture of the stream.
#include <benchmark/benchmark.h>

#include <QPixmap>

#include "tests/support/scripted_run.h"
#include "ui/stream/stream_preview.h"

namespace palimpsest {
namespace {

/// The preview at the width that the experiment's panel leaves it; `percent` changes as with the slider of blurry
/// samples.
class Composition {
public:
    explicit Composition(const benchmark::State& state) {
        testing::ScriptedRun::Script script;
        script.classes = state.range(0);
        script.images = state.range(2);
        experiment_.stream.sessions = state.range(1);
        labels_ = testing::ScriptedRun(script).laboratory().labels(experiment_);
        preview_.resize(300, preview_.sizeHint().height());
    }
    std::shared_ptr<const PlannedStream> planned() {
        experiment_.stream.blurry_percent = 1 + (experiment_.stream.blurry_percent + 1) % 99;
        return plannedStream(experiment_, labels_);
    }
    void draw(std::shared_ptr<const PlannedStream> stream) {
        preview_.setStream(std::move(stream));
        benchmark::DoNotOptimize(preview_.grab());
    }

private:
    Experiment experiment_ = OptionTable(testing::ScriptedRun::catalogue()).defaults();
    std::shared_ptr<const DatasetLabels> labels_;
    StreamPreview preview_;
};

/// Work on a background thread.
void planPreview(benchmark::State& state) {
    Composition composition(state);
    for (auto _ : state) benchmark::DoNotOptimize(composition.planned());
}

/// Work on the window's thread.
void drawPreview(benchmark::State& state) {
    Composition composition(state);
    const auto stream = composition.planned();
    for (auto _ : state) composition.draw(stream);
}

void planAndDrawPreview(benchmark::State& state) {
    Composition composition(state);
    for (auto _ : state) composition.draw(composition.planned());
}

void sizes(benchmark::internal::Benchmark* benchmark) {
    benchmark->ArgNames({"classes", "sessions", "images"})
        ->Args({10, 5, 60'000})
        ->Args({200, 20, 100'000})
        ->Args({1000, 100, 1'280'000})
        ->Unit(benchmark::kMillisecond);
}
BENCHMARK(planPreview)->Apply(sizes);
BENCHMARK(drawPreview)->Apply(sizes);
BENCHMARK(planAndDrawPreview)->Apply(sizes);

}  // namespace
}  // namespace palimpsest
