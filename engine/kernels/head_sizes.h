// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <cstddef>

namespace palimpsest {

/// Rows of all buffers are padded with zeros to a multiple of this many floats, the longest vector.
inline constexpr std::size_t kPad = 16;

constexpr std::size_t padded(std::size_t count) {
    return (count + kPad - 1) / kPad * kPad;
}

/// Shape of a multi-head attention.
struct HeadSizes {
    std::size_t width, heads, head;
    std::size_t headRow;  ///< floats from row to row in a head's scratch
    float scale;          ///< 1 / sqrt(head)

    static HeadSizes of(std::size_t width, std::size_t heads) {
        const std::size_t head = width / heads;
        return {width, heads, head, padded(head), static_cast<float>(1.0 / std::sqrt(static_cast<double>(head)))};
    }
};

/// One image's rows in an attention: `queries` of its `own` tokens ask, keys and values are those of all and of
/// `extra` (prompts). Rows are `...Row` floats apart.
struct Attention {
    const float* q = nullptr;      ///< [queries, D]
    const float* kv = nullptr;     ///< [own, D] keys, each followed by its value, D floats further on
    const float* extra = nullptr;  ///< [others, 2 D], contiguous
    std::size_t queries = 0, own = 0, others = 0, qRow = 0, kvRow = 0;

    /// Floats of the probabilities: [heads, queries, padded(own + others)].
    std::size_t scores(std::size_t heads) const { return heads * queries * padded(own + others); }
};

/// Scratch for one head of one image.
struct HeadScratch {
    float *q, *k, *v, *out, *scores;
};

}  // namespace palimpsest
