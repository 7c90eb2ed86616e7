// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace palimpsest {

/// True if products can use the processor's tiles for bfloat16 (AMX-BF16) and the operating system lets them.
bool hasTileProducts();

/// The right factor B [depth, columns] of products in bfloat16, kept in the order in which tiles read it.
class TileFactor {
public:
    TileFactor() = default;  ///< empty
    /// `at(k, n)`: the numbers of B. Columns are padded with zeros to whole tiles of 16.
    TileFactor(std::size_t depth, std::size_t columns, const std::function<float(std::size_t, std::size_t)>& at);

    bool empty() const { return data_.empty(); }
    /// C [rows, columns] = A [rows, depth] B + bias [columns] (unless it is null), or C += that where `add`. Rows of A
    /// and C are `aRow` and `cRow` floats apart. A is rounded to bfloat16, sums are float32, and the order of each sum
    /// depends on the depth alone. Needs hasTileProducts().
    void multiply(std::size_t rows, const float* a, std::size_t aRow, float* c, std::size_t cRow, const float* bias,
                  bool add) const;

private:
    std::size_t depth_ = 0, columns_ = 0;
    std::vector<std::uint16_t> data_;
};

}  // namespace palimpsest
