// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
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

/// Systems of many classes. Each is searched for on first use: a search draws many systems until one is suitable, and
/// 10,000 searches would delay opening the data set. Safe from several threads.
class FractalClasses {
public:
    FractalClasses(std::uint64_t seed, std::int64_t classes) : seed_(seed), slots_(static_cast<std::size_t>(classes)) {}

    const FractalSystem& operator[](std::int32_t label) const;
    /// Number of systems found so far.
    std::int64_t found() const { return found_; }

private:
    struct Slot {
        std::once_flag once;
        FractalSystem system;
    };

    std::uint64_t seed_;
    mutable std::vector<Slot> slots_;
    mutable std::atomic<std::int64_t> found_{0};
};

}  // namespace palimpsest
