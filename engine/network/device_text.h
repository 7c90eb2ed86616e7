// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

// Texts about LibTorch for programs that do not see it.

namespace palimpsest {

/// Text such as "CPU, 2 threads" or "CUDA, 1 GPU".
std::string deviceText();
std::string libtorchVersion();

/// Half a sentence on GPUs: what there is, or why there is none, and whether updates can be recorded on it.
std::string gpuText();

}  // namespace palimpsest
