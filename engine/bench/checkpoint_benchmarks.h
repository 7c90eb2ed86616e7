// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/bench/engine_benchmarks.h"

namespace palimpsest {

/// What a checkpoint costs: hashing the state of a method and its optimiser, and bringing it to the disk.
std::vector<EngineBenchmark> checkpointBenchmarks();

}  // namespace palimpsest
