// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/network/tensor.h"

namespace palimpsest {

/// Operations of AutoAugment (Cubuk et al., CVPR 2019, table 6).
enum class ImageOp {
    ShearX,  ///< amount: tangent; the top left corner stays
    ShearY,
    TranslateX,    ///< amount: pixels to the right, truncated to whole ones
    TranslateY,    ///< downwards
    Rotate,        ///< amount: degrees, anticlockwise about the centre
    Brightness,    ///< amount: 0 leaves the image, -1 black, 1 twice as bright
    Color,         ///< -1 grey
    Contrast,      ///< -1 its mean grey
    Sharpness,     ///< -1 smoothed
    Posterize,     ///< amount: bits kept, 1..8
    Solarize,      ///< amount: bytes of at least this value are inverted
    AutoContrast,  ///< no amount
    Equalize,
    Invert,
};

/// Applies one operation to bytes [B, 3, H, W] in the processor's memory, each image by itself, as torchvision 0.14
/// does on byte tensors (transforms/functional_tensor.py): nearest pixel, zeros outside, float32 sums truncated to
/// whole bytes. Returns a new, contiguous tensor.
Tensor changed(const Tensor& bytes, ImageOp op, double amount);

}  // namespace palimpsest
