// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/bench/engine_benchmarks.h"

namespace palimpsest {

/// Speed of decoding, loading, augmenting and streaming pictures with one thread.
std::vector<EngineBenchmark> dataBenchmarks();

}  // namespace palimpsest
