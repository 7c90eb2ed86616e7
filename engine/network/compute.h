// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "engine/network/tensor.h"

namespace palimpsest {

/// What a run computes on.
struct Compute {
    at::Device device = at::kCPU;
    at::ScalarType type = at::kFloat;
    int threads = 1;

    std::string deviceName() const;     ///< "cpu", "cuda:0"
    std::string precisionName() const;  ///< "float32", "bfloat16"
};

/// Resolves "auto": the first GPU if there is one; bfloat16 on a processor that multiplies it
/// (processorMultipliesBfloat16), float32 elsewhere. Never by a stopwatch: the same device must give the same bits.
/// Sets LibTorch's threads (Debian 12's starts with one) and makes its kernels deterministic; the threads are
/// LibTorch's alone, so OpenCV gets one. Throws Error(Input) for a device that is not there.
Compute prepareCompute(const std::string& device, const std::string& precision, std::int64_t threads);

/// Does this processor, as the operating system lets it be used, have bfloat16 products (AVX512_BF16 or AMX-BF16)?
bool processorMultipliesBfloat16();

/// "CPU, 2 threads" or "CUDA, 1 GPU".
std::string deviceText();
std::string libtorchVersion();

}  // namespace palimpsest
