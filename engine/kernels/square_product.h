// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>

#include "engine/kernels/aligned_floats.h"

namespace palimpsest {

/// The product of two square matrices with the kernels of FrozenVit, which shows how fast these can be at best.
class SquareProduct {
public:
    /// Factors that depend on nothing but the side. `side`: a multiple of 16.
    explicit SquareProduct(std::int64_t side);
    ~SquareProduct();
    SquareProduct(const SquareProduct&) = delete;
    SquareProduct& operator=(const SquareProduct&) = delete;

    /// C = A B. Threads take the rows as they take the images of a frozen network.
    void run(int threads);

    std::span<const float> left() const { return {left_.get(), left_.size()}; }           ///< A [side, side]
    std::span<const float> right() const { return {right_.get(), right_.size()}; }        ///< B [side, side]
    std::span<const float> product() const { return {product_.get(), product_.size()}; }  ///< C [side, side]

private:
    struct Packed;

    std::size_t side_;
    AlignedFloats left_, right_, product_;
    std::unique_ptr<Packed> packed_;
};

}  // namespace palimpsest
