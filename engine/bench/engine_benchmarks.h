// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace palimpsest {

/// A benchmark of the engine: its name and a function that runs it `count` times.
struct EngineBenchmark {
    std::string name;
    std::function<void(std::int64_t count)> body;
    std::int64_t images = 0;                   ///< images in one run; 0: the case does not count images
    std::function<std::int64_t()> bytes = {};  ///< bytes that the last call wrote; not set: it writes nothing
};
/// All benchmarks of the engine. The list is cheap: each prepares what it needs when it first runs.
std::vector<EngineBenchmark> engineBenchmarks();

/// Those of decoding, loading, augmenting and streaming pictures with one thread.
std::vector<EngineBenchmark> dataBenchmarks();

}  // namespace palimpsest
