// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "engine/network/device_text.h"
#include "engine/network/tensor.h"

namespace palimpsest {

/// Device, precision and threads that a run computes with.
struct Compute {
    at::Device device = at::kCPU;
    at::ScalarType type = at::kFloat;
    int threads = 1;

    std::string deviceName() const;     ///< "cpu", "cuda:0"
    std::string precisionName() const;  ///< "float32", "bfloat16"
};

/// Resolves "auto": the first GPU if there is one; bfloat16 on a processor with tiles for it
/// (processorHasBfloat16Tiles) and on a GPU from compute capability 8.0 on, float32 elsewhere. Timing never decides:
/// the same device must give the same bits. Sets LibTorch's threads (Debian 12's starts with one) and makes its kernels
/// deterministic; OpenCV gets one thread, since LibTorch uses them all. Throws
/// Error(Input) for a device that is not there.
Compute prepareCompute(const std::string& device, const std::string& precision, std::int64_t threads);

/// True if this processor, as the operating system lets it be used, has AMX-BF16. Products of AVX512_BF16 alone do not
/// make up for what the short format costs elsewhere.
bool processorHasBfloat16Tiles();

/// A sentence for whoever asked for a precision that is slow on this device; else empty.
std::string precisionNote(const Compute& compute);

}  // namespace palimpsest
