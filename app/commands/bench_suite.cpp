// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/bench_suite.h"

#include <algorithm>
#include <chrono>
#include <iostream>

#include "app/cli/output.h"
#include "engine/bench/engine_benchmarks.h"
#include "engine/network/device_text.h"
#include "engine/stream/stream_plan.h"
#include "engine/support/error.h"
#include "engine/support/format.h"

namespace palimpsest {
namespace {

constexpr int kRepetitions = 7;
constexpr double kLeastSeconds = 0.1;  ///< duration of one repetition, so that the clock's resolution does not matter

struct Timing {
    double median = 0;
    double least = 0;
    double most = 0;
};

double seconds(const EngineBenchmark& benchmark, std::int64_t count) {
    const auto start = std::chrono::steady_clock::now();
    benchmark.body(count);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Seconds of one call: the median of several repetitions after a warm-up.
Timing timed(const EngineBenchmark& benchmark) {
    benchmark.body(1);
    std::int64_t count = 1;
    while (seconds(benchmark, count) < kLeastSeconds) count *= 2;
    std::vector<double> times;
    for (int i = 0; i < kRepetitions; ++i) times.push_back(seconds(benchmark, count) / static_cast<double>(count));
    std::sort(times.begin(), times.end());
    return {times[times.size() / 2], times.front(), times.back()};
}

EngineBenchmark planning(const char* name, std::int64_t samples, std::int64_t classes, std::int64_t sessions) {
    auto labels = std::make_shared<std::vector<std::int32_t>>(static_cast<std::size_t>(samples));
    for (std::size_t i = 0; i < labels->size(); ++i)
        (*labels)[i] = static_cast<std::int32_t>(static_cast<std::int64_t>(i) % classes);
    StreamSettings settings;
    settings.classes = classes;
    settings.sessions = sessions;
    return {name, [labels, settings](std::int64_t count) {
                for (std::int64_t i = 0; i < count; ++i) planStream(*labels, settings);
            }};
}

std::vector<EngineBenchmark> allBenchmarks() {
    std::vector<EngineBenchmark> all = {planning("stream/fashion-mnist", 60000, 10, 5),
                                        planning("stream/imagenet-100-sessions", 1280000, 1000, 100)};
    for (EngineBenchmark& benchmark : engineBenchmarks()) all.push_back(std::move(benchmark));
    return all;
}

std::vector<EngineBenchmark> chosen(const std::string& filter) {
    std::vector<EngineBenchmark> all = allBenchmarks();
    std::erase_if(all, [&](const EngineBenchmark& b) { return b.name.find(filter) == std::string::npos; });
    if (all.empty())
        throw inputError("No benchmark's name contains \"" + filter + "\".",
                         "`palimpsest-cli bench --list` lists the names.");
    return all;
}

}  // namespace

int listBenchmarks(bool json) {
    for (const EngineBenchmark& benchmark : allBenchmarks()) {
        if (json)
            printLine({{"name", benchmark.name}});
        else
            std::cout << benchmark.name << '\n';
    }
    return 0;
}

int benchSuite(const std::string& filter, bool json) {
    const std::vector<EngineBenchmark> benchmarks = chosen(filter);
    if (!json)
        std::cout << deviceText() << "; median of " << kRepetitions << " (least to most), ms a call; images a second"
                  << std::endl;
    for (const EngineBenchmark& benchmark : benchmarks) {
        const Timing t = timed(benchmark);
        if (json) {
            const double rate = static_cast<double>(benchmark.images) / t.median;
            printLine({{"name", benchmark.name},
                       {"median_ms", 1e3 * t.median},
                       {"least_ms", 1e3 * t.least},
                       {"most_ms", 1e3 * t.most},
                       {"images_per_second", benchmark.images > 0 ? Json(rate) : Json(nullptr)},
                       {"bytes", benchmark.bytes ? Json(benchmark.bytes()) : Json(nullptr)},
                       {"repetitions", kRepetitions}});
        } else {
            std::cout << benchmark.name << "  " << fixedText(1e3 * t.median, 3) << "  (" << fixedText(1e3 * t.least, 3)
                      << " to " << fixedText(1e3 * t.most, 3) << ")";
            if (benchmark.images > 0)
                std::cout << "  " << fixedText(static_cast<double>(benchmark.images) / t.median, 0) << " images/s";
            if (benchmark.bytes)
                std::cout << "  " << fixedText(static_cast<double>(benchmark.bytes()) / 1e6, 2) << " MB";
            std::cout << std::endl;
        }
    }
    return 0;
}

}  // namespace palimpsest
