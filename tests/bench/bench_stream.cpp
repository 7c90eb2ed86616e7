// SPDX-License-Identifier: GPL-3.0-or-later
#include <benchmark/benchmark.h>

#include "engine/stream/stream_plan.h"

using namespace palimpsest;

namespace {

std::vector<std::int32_t> cyclicLabels(std::int64_t samples, std::int64_t classes) {
    std::vector<std::int32_t> labels(static_cast<std::size_t>(samples));
    for (std::size_t i = 0; i < labels.size(); ++i)
        labels[i] = static_cast<std::int32_t>(static_cast<std::int64_t>(i) % classes);
    return labels;
}

void planning(benchmark::State& state, const StreamSettings& settings) {
    const auto labels = cyclicLabels(state.range(0), settings.classes);
    for (auto _ : state) benchmark::DoNotOptimize(planStream(labels, settings));
    state.SetItemsProcessed(state.iterations() * state.range(0));
}

void fingerprint(benchmark::State& state) {
    const auto labels = cyclicLabels(state.range(0), 1000);
    const StreamPlan plan = planStream(labels, {1000, 100, 50, 10, Partition::Stochastic, 1});
    for (auto _ : state) benchmark::DoNotOptimize(plan.fingerprint());
}

void lint(benchmark::State& state) {
    const auto labels = cyclicLabels(state.range(0), 1000);
    const StreamPlan plan = planStream(labels, {1000, 100, 50, 10, Partition::Stochastic, 1});
    for (auto _ : state) benchmark::DoNotOptimize(lintStream(plan, labels));
}

// Sizes of CIFAR-100 and ImageNet-1k.
BENCHMARK_CAPTURE(planning, stochastic, {100, 5, 50, 10, Partition::Stochastic, 1})
    ->Arg(50'000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(planning, stochastic_large, {1000, 100, 50, 10, Partition::Stochastic, 1})
    ->Arg(1'280'000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(planning, uniform_large, {1000, 100, 50, 10, Partition::Uniform, 1})
    ->Arg(1'280'000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(planning, one_class_each, {1000, 1000, 0, 101, Partition::Stochastic, 1})
    ->Arg(1'280'000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(fingerprint)->Arg(1'280'000)->Unit(benchmark::kMillisecond);
BENCHMARK(lint)->Arg(1'280'000)->Unit(benchmark::kMillisecond);

}  // namespace
