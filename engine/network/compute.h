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

    std::string deviceName() const;       ///< "cpu", "cuda:0"
    std::string precisionName() const;    ///< "float32", "bfloat16"
};

/// Resolves "auto": the first GPU if there is one; bfloat16 where a short measurement, made once a process, finds its
/// matrix products at least 1.5 times as fast. Sets LibTorch's threads (Debian 12's starts with one) and makes its
/// kernels deterministic. Throws Error(Input) for a device that is not there.
Compute prepareCompute(const std::string& device, const std::string& precision, std::int64_t threads);

/// float32 time over bfloat16 time of a transformer's typical matrix product on this CPU.
double bfloat16Gain();

}  // namespace palimpsest
