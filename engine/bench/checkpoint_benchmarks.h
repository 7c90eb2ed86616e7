// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/bench/engine_benchmarks.h"

namespace palimpsest {

/// Cost of a checkpoint: hashing the state of a method and its optimiser, and writing it to disk.
std::vector<EngineBenchmark> checkpointBenchmarks();

}  // namespace palimpsest
