// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/bench/engine_benchmarks.h"

namespace palimpsest {

/// A step of initial session adaptation on the embedded backbone: naive, SAM and FAM, on the same batch.
std::vector<EngineBenchmark> isaBenchmarks();

}  // namespace palimpsest
