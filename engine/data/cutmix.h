// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/network/tensor.h"

namespace palimpsest {

/// Share of all updates in which the official code mixes.
inline constexpr double kCutMixChance = 0.5;

/// Rows top..bottom - 1 and columns left..right - 1.
struct CutBox {
    std::int64_t top = 0, bottom = 0, left = 0, right = 0;
    std::int64_t area() const { return (bottom - top) * (right - left); }
};
/// A box of about (1 - lambda) of the image with a random centre, its sides truncated to whole pixels and clipped at
/// the image's edges. Draws: column, row.
CutBox cutBox(std::int64_t height, std::int64_t width, double lambda, Random& random);

/// A batch in which each image shows a box of another one.
struct CutMix {
    Tensor images;       ///< [B, 3, H, W]
    Tensor permutation;  ///< int64 [B], on the images' device: the image that each box comes from
    double lambda = 1;   ///< share of each image that is still its own
    Tensor shares{};     ///< float32 [B], on the images' device: lambda of each image, if they differ
};
/// CutMix (Yun et al., ICCV 2019) as in MISA, utils/augment.py: one box, one permutation and one lambda from Beta(1, 1)
/// for the whole batch; the result's lambda is the share outside the box. Draws: lambda, permutation, box. `images` is
/// not modified.
CutMix cutMixed(const Tensor& images, Random& random);
/// CutMix with one permutation, but a lambda and a box for each image. Draws: permutation, then for each image lambda,
/// box.
CutMix cutMixedEach(const Tensor& images, Random& random);

}  // namespace palimpsest
