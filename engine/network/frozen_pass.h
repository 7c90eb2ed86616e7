// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <span>

#include "engine/network/tensor.h"
#include "engine/network/vit_shape.h"

namespace palimpsest {

class FrozenVit;

/// FrozenVit's pass on tensors: images [B, 3, H, W] -> [B, D], differentiable in `extra` (see Vit::features), with as
/// many threads as LibTorch has; not differentiable in the images. Throws c10::Error for shapes that do not fit.
Tensor frozenFeatures(const std::shared_ptr<const FrozenVit>& network, const Tensor& images,
                      std::span<const Tensor> extra, const VitShape& shape);
/// The class token after each block, before the final LayerNorm: images [B, 3, H, W] -> [B, depth, D], without
/// gradient.
Tensor frozenClassTokens(const std::shared_ptr<const FrozenVit>& network, const Tensor& images, const VitShape& shape);

}  // namespace palimpsest
