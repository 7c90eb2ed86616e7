// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/network/tensor.h"

namespace palimpsest {

/// Standard normal values, the same for the same seed.
inline Tensor normalTensor(at::IntArrayRef sizes, std::uint64_t seed) {
    Tensor tensor = at::zeros(sizes, at::kFloat);
    Random random(seed);
    fillNormal(tensor, random);
    return tensor;
}

}  // namespace palimpsest
