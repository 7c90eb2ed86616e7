// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/bench/engine_benchmarks.h"

namespace palimpsest {

/// How fast pictures are decoded, loaded, augmented and streamed by one thread.
std::vector<EngineBenchmark> dataBenchmarks();

}  // namespace palimpsest
