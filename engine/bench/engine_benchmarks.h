// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace palimpsest {

/// Initial state of the benchmark suite's engine cases: name and a function that runs it `count` times.
struct EngineBenchmark {
    std::string name;
    std::function<void(std::int64_t count)> body;
    std::int64_t images = 0;                   ///< that one of these runs is about; 0: the case does not count images
    std::function<std::int64_t()> bytes = {};  ///< that the last call wrote; not set: it writes nothing
};
std::vector<EngineBenchmark> engineBenchmarks();

}  // namespace palimpsest
