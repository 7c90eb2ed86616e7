// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>

#include "engine/kernels/head_sizes.h"

namespace palimpsest {

// Parts of a linear layer and of an attention in vector code, for networks that learn. Each function does a share of
// the work, so that the caller's threads can split it; sums have an order that no split changes.

/// True for numbers of inputs and outputs that the functions below take: whole vectors.
constexpr bool fillsVectors(std::int64_t count) {
    return count > 0 && count % static_cast<std::int64_t>(kPad) == 0;
}

/// The right factor [depth, columns] of a product, as the product reads it.
class PackedFactor {
public:
    PackedFactor(std::int64_t depth, std::int64_t columns);
    std::int64_t panels() const { return panels_; }
    /// Fills the panels [first, last) from a matrix [depth, columns], or from [columns, depth] where `turned`.
    void pack(const float* matrix, bool turned, std::int64_t first, std::int64_t last);
    /// y [rows, columns] = x [rows, depth] times the factor, plus bias [columns] unless it is null.
    void multiply(const float* x, std::int64_t rows, const float* bias, float* y) const;

private:
    std::int64_t depth_, columns_, panels_;
    std::unique_ptr<float[]> data_;
};

/// Rows [first, last) of the gradient [outputs, inputs] of a layer's weight: the outputs' gradient [rows, outputs],
/// turned, times the inputs x [rows, inputs].
void weightGradient(const float* gradient, const float* x, std::int64_t rows, std::int64_t outputs, std::int64_t inputs,
                    std::int64_t first, std::int64_t last, float* out);

/// Scratch of a thread for images of one shape.
class AttentionScratch {
public:
    AttentionScratch(const HeadSizes& sizes, const Attention& input);
    const HeadScratch& buffers() const { return buffers_; }

private:
    std::unique_ptr<float[]> memory_;
    HeadScratch buffers_;
};

/// softmax(q k^T / sqrt(head)) v -> mixed [queried, D]; the probabilities are kept for the way back.
void attentionForward(const HeadSizes& sizes, const Attention& input, float* probabilities, float* mixed,
                      const AttentionScratch& scratch);
/// Gradients, laid out as the inputs are; null: not wanted, but the queries' where the keys' are not.
void attentionBackward(const HeadSizes& sizes, const Attention& input, const float* probabilities,
                       const float* gradient, float* queries, float* keysValues, float* extra,
                       const AttentionScratch& scratch);

}  // namespace palimpsest
