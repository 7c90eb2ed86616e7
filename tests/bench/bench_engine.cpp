// SPDX-License-Identifier: GPL-3.0-or-later
// The cases of `palimpsest-cli bench` with Google Benchmark's statistics and output formats.
#include <benchmark/benchmark.h>

#include "engine/bench/engine_benchmarks.h"

int main(int argc, char** argv) {
    for (const palimpsest::EngineBenchmark& one : palimpsest::engineBenchmarks())
        benchmark::RegisterBenchmark(one.name.c_str(),
                                     [one](benchmark::State& state) {
                                         for (auto _ : state) one.body(1);
                                         if (one.images > 0) state.SetItemsProcessed(state.iterations() * one.images);
                                     })
            ->Unit(benchmark::kMillisecond)
            ->UseRealTime();
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return 0;
}
