// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "engine/kernels/aligned_floats.h"

namespace palimpsest {

/// True if products can use the processor's tiles for bfloat16 (AMX-BF16, with AVX512-BF16 to round) and the operating
/// system lets them, which the first call asks.
bool hasTileProducts();

/// The nearest number in bfloat16, of two that are as near the even one.
inline std::uint16_t nearestBfloat16(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    if (value != value) return static_cast<std::uint16_t>(bits >> 16 | 0x40);
    return static_cast<std::uint16_t>((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
}

/// The right factor B [depth, columns] of products in bfloat16, kept in the order in which tiles read it.
class TileFactor {
public:
    TileFactor() = default;  ///< empty
    /// `at(k, n)`: the numbers of B. Columns are padded with zeros to whole tiles of 16.
    template <class At>
    TileFactor(std::size_t depth, std::size_t columns, At at) : TileFactor(depth, columns) {
        // Tile by tile, so that weights that lie the other way round are read by cache lines, too.
        std::uint16_t* tile = numbers();
        for (std::size_t n = 0; n < columns_; n += kColumns)
            for (std::size_t k = 0; k < depth; k += kDepth, tile += kColumns * kDepth)
                for (std::size_t j = n; j < std::min(n + kColumns, columns); ++j)
                    for (std::size_t i = k; i < std::min(k + kDepth, depth); ++i)
                        tile[(i - k) / 2 * kDepth + (j - n) * 2 + (i - k) % 2] = nearestBfloat16(at(i, j));
    }

    bool empty() const { return data_.size() == 0; }
    /// C [rows, columns] = A [rows, depth] B + bias [columns] (unless it is null), or C += that where `add`. Rows of A
    /// and C are `aRow` and `cRow` floats apart. A is rounded to bfloat16, sums are float32, and the order of each sum
    /// depends on the depth alone. Without hasTileProducts() it is slow, and sums have another order. Tiles take
    /// numbers below 2^-126 for 0.
    void multiply(std::size_t rows, const float* a, std::size_t aRow, float* c, std::size_t cRow, const float* bias,
                  bool add) const;

private:
    // A tile of B holds pairs of its rows, one number of each in turn.
    static constexpr std::size_t kColumns = 16, kDepth = 32;

    TileFactor(std::size_t depth, std::size_t columns);  ///< of zeros
    std::uint16_t* numbers() { return reinterpret_cast<std::uint16_t*>(data_.get()); }
    const std::uint16_t* numbers() const { return reinterpret_cast<const std::uint16_t*>(data_.get()); }
    void multiplyPlainly(std::size_t rows, const float* a, std::size_t aRow, float* c, std::size_t cRow,
                         const float* bias, bool add) const;

    std::size_t depth_ = 0, columns_ = 0;  ///< columns: padded
    AlignedFloats data_;                   ///< two numbers each
};

}  // namespace palimpsest
