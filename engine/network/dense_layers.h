// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/network/tensor.h"

namespace palimpsest {

// Layers of a network that learns, in vector code (engine/kernels/dense.h): float32 on the processor, with as many
// threads as LibTorch has; neither the batch nor the threads change a bit of an output. Differentiable once.

/// True for tensors that denseLinear() takes: x [..., in] and a weight [out, in] whose sides are whole vectors.
bool suitsDenseLinear(const Tensor& x, const Tensor& weight);
/// x W^T + bias: x [..., in], weight [out, in], bias [out] -> [..., out].
Tensor denseLinear(const Tensor& x, const Tensor& weight, const Tensor& bias);

/// Multi-head attention. Queries [B, Q, D] over keys and values [B, M, 2 D], or, where `queries` is undefined, over
/// queries, keys and values of the same tokens, [B, M, 3 D]; and over `extra` [B, L, 2 D], which may be undefined or
/// expanded -> [B, Q, D]. Throws c10::Error for shapes that do not fit.
Tensor denseAttention(const Tensor& queries, const Tensor& keysValues, const Tensor& extra, std::int64_t heads);

}  // namespace palimpsest
