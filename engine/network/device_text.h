// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "engine/run/engine_facts.h"

// Texts about LibTorch for programs that do not see it.

namespace palimpsest {

/// Text such as "CPU, 2 threads" or "CUDA, 1 GPU".
std::string deviceText();
std::string libtorchVersion();

/// Half a sentence on GPUs: what there is, or why there is none, and whether updates can be recorded on it.
std::string gpuText();

/// All of this, and the file that it comes from: what a program learns with. Throws nothing; where nothing can learn,
/// it says why.
EngineFacts engineFacts();

}  // namespace palimpsest
