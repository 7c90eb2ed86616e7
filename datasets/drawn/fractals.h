// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <opencv2/core/mat.hpp>
#include <vector>

namespace palimpsest {

/// An iterated function system: affine maps x -> A x + b, drawn with probability proportional to |det A|
/// (Kataoka et al., Pre-training without Natural Images, ACCV 2020).
struct FractalSystem {
    struct Map {
        float a, b, c, d, e, f;  ///< x' = a x + b y + e, y' = c x + d y + f
        float probability;
    };
    std::vector<Map> maps;
};

/// The system of one class, which depends on (seed, class) alone. Systems whose picture is almost empty are rejected.
FractalSystem fractalClass(std::uint64_t seed, std::int64_t label);

/// Renders one instance: one parameter is scaled in every map, the picture may be flipped and rotated, drawn by
/// anti-aliased dots of varying density. CV_8UC1 [size, size]. Depends only on the arguments.
cv::Mat renderFractal(const FractalSystem& system, std::uint64_t instanceSeed, int size);

}  // namespace palimpsest
