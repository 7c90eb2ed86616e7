// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/network/tensor.h"
#include "engine/pretrain/drawings.h"

namespace palimpsest {

class Random;

/// Numbers that describe a picture's shapes: gradients by direction in cells of 4 x 4 pixels (Dalal and Triggs, CVPR
/// 2005), and the cells' brightness.
inline constexpr int kCells = 8, kDirections = 8, kShapeNumbers = kCells * kCells * (kDirections + 1);
inline constexpr int kPictureSide = 4 * kCells;

/// How often a picture comes from each group of drawings, in proportion.
using GroupShares = std::array<double, 4>;

/// A training batch.
struct ComposedBatch {
    Tensor pictures;                          ///< bytes [B, 3, side, side]
    std::array<Tensor, kLabelSpaces> labels;  ///< [B], -1 where a picture has none
    Tensor shapes;                            ///< [B, kShapeNumbers], of the pictures before noise and covers
};

/// Makes training pictures of 32 x 32 from drawings: each is turned, stretched, moved and mirrored, filled with a
/// shade, a colour or a texture, laid on a ground (black, a colour, a gradient or another drawing), then blurred,
/// covered in part, or made noisy, at random.
class Composer {
public:
    /// `strength`: of turning, stretching, moving, noise and covers; 0 none, 1 rotations up to 20 degrees and the like.
    /// Groups without drawings are left out. Throws Error(Input) when no group with drawings has a share.
    Composer(const Drawings& drawings, const GroupShares& shares, double strength, std::uint64_t seed);

    /// Depends on (seed, step) alone.
    ComposedBatch batch(std::int64_t step, std::int64_t count) const;

private:
    const Drawing& pick(Random& random) const;
    void compose(const Drawing& drawing, Random& random, std::uint8_t* planes, float* shapes) const;

    const Drawings& drawings_;
    std::array<double, 4> until_{};  ///< cumulated shares
    double strength_;
    std::uint64_t seed_;
};

}  // namespace palimpsest
