// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/mask/mask_policy.h"
#include "engine/network/tensor.h"

namespace palimpsest {

/// Visible units become 0, hidden ones minus infinity: float32 [C], to be added to the logits.
Tensor additiveMask(const std::vector<bool>& visible, at::Device device);
/// The seen-class mask of evaluation: units 0..seen-1 visible.
Tensor seenMask(std::int64_t seen, std::int64_t classes, at::Device device);
/// Logits [B, C] under a mask [C] of zeros and minus infinities. Multiplicative: those of hidden units become 0, and no
/// gradient reaches them either.
Tensor maskedLogits(const Tensor& logits, const Tensor& mask, MaskForm form);

}  // namespace palimpsest
