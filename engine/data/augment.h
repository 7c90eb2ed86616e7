// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "engine/network/tensor.h"

namespace palimpsest {

enum class Augment { None, CropFlip };
/// "auto" is crop-flip, as in every official script.
Augment augmentKind(const std::string& name);

/// Zero-pad and crop at one random offset and one mirror coin for the whole batch, as the official code draws them
/// (MISA, methods/_trainer.py, train_transform). Bytes [B, 3, S, S] -> bytes of the same shape.
/// The padding is 4 pixels of 224, and in proportion, but at least one, for smaller images.
Tensor augmented(const Tensor& bytes, Augment kind, Random random);

}  // namespace palimpsest
