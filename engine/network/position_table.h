// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/network/tensor.h"

namespace palimpsest {

/// The position table [1, n * n + 1, D] of a class token and n x n patches, resized for side x side patches: bicubic,
/// half pixels, without smoothing (a = -0.75, align_corners false); the class token's row stays. float32. Source: timm
/// 0.6, models/vision_transformer.py, resize_pos_embed. Throws Error(Input) for a table that is no square.
Tensor resizedPositions(const Tensor& table, std::int64_t side, const std::string& origin);

}  // namespace palimpsest
