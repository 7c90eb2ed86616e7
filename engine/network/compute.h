// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>

#include "engine/network/device_text.h"
#include "engine/network/tensor.h"

namespace palimpsest {

/// Device, precision and threads that a run computes with.
struct Compute {
    at::Device device = at::kCPU;
    at::ScalarType type = at::kFloat;
    int threads = 1;
    bool tf32 = false;                         ///< a GPU's float32 products are computed in TF32
    std::shared_ptr<const void> tf32_claim{};  ///< see claimTf32(); none on the processor

    std::string deviceName() const;     ///< "cpu", "cuda:0"
    std::string precisionName() const;  ///< "float32", "tf32", "bfloat16"
};

/// LibTorch has one switch for TF32, while several runs may be under way. Sets it, and keeps it so until the result and
/// all its copies are gone. Throws Error(Input) while another claim wants it the other way.
std::shared_ptr<const void> claimTf32(bool on);

/// Resolves "auto": the first GPU if there is one; bfloat16 on a processor with tiles for it
/// (processorHasBfloat16Tiles) and on a GPU from compute capability 8.0 on, float32 elsewhere. Timing never decides:
/// the same device must give the same bits. Sets LibTorch's threads (Debian 12's starts with one) and makes its kernels
/// deterministic; OpenCV gets one thread, since LibTorch uses them all. Computing on a GPU claims the switch for TF32
/// as long as the result lives. Throws Error(Input) for a device that is not there, for TF32 where there is none, and
/// while another run on a GPU wants TF32 otherwise.
Compute prepareCompute(const std::string& device, const std::string& precision, std::int64_t threads);

/// True if this processor, as the operating system lets it be used, has AMX-BF16 and AVX512-BF16 (hasTileProducts()).
/// Products of AVX512_BF16 alone do not pay off.
bool processorHasBfloat16Tiles();
/// What computes frozen networks in bfloat16 on this processor: a run goes on with the same alone.
const char* bfloat16Kernels();

/// A sentence for whoever asked for a precision that is slow on this device; else empty.
std::string precisionNote(const Compute& compute);

}  // namespace palimpsest
