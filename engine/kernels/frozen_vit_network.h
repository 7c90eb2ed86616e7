// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Private to frozen_vit*.cpp and square_product.cpp: the network and its buffers as the vector code sees them.
#include <cstddef>
#include <span>
#include <vector>

#include "engine/kernels/aligned_floats.h"
#include "engine/kernels/frozen_vit.h"

namespace palimpsest {

/// Rows of all buffers are padded with zeros to a multiple of this many floats, the longest vector.
constexpr std::size_t kPad = 16;
/// Rows that a group of images brings to a product, where the batch has enough: with fewer, reading the weights would
/// take longer than multiplying them.
constexpr std::size_t kGroupRows = 256;

struct NetworkSizes {
    std::size_t imageSize, patch, channels, tokens, width, heads, head, hidden;
    bool quickGelu;
    float epsilon, scale;  ///< scale: 1 / sqrt(head)
    /// Floats from row to row.
    std::size_t row, patchRow, qkvRow, kvRow, hiddenRow, headRow;

    static std::size_t padded(std::size_t count) { return (count + kPad - 1) / kPad * kPad; }
};

/// The right factor [depth, columns] of a product, in panels of a tile's width.
struct PackedMatrix {
    std::size_t depth = 0, columns = 0;  ///< columns: padded
    AlignedFloats data, bias;            ///< bias: empty or [columns]
};

/// The matrices of a block. The scale and shift of its norms are part of those that follow them.
struct PackedBlock {
    PackedMatrix qkv, proj, fc1, fc2;  ///< qkv: not of the last block
    PackedMatrix q, kv;                ///< of the last block
    /// For the way back, made when a trace is asked for.
    PackedMatrix qkvTurned, projTurned, fc1Turned, fc2Turned, qTurned, kvTurned;
};

struct FrozenNetwork {
    NetworkSizes sizes;
    AlignedFloats class_token, position, norms;  ///< norms: what pre_norm and norm point to
    std::optional<NormWeights> pre_norm;
    NormWeights norm;
    PackedMatrix patch;
    std::vector<PackedBlock> blocks;
};

/// A block's values in a group of images: those that backward() needs.
struct BlockTrace {
    float *hat1, *inverse1;  ///< [rows, D] input without mean and deviation, [rows] 1 / deviation
    float* qkv;              ///< [rows, 3 D]; in the last block keys and values [rows, 2 D]
    float* q;                ///< [images, D], in the last block
    float* probabilities;    ///< [images, heads, queries, keys]
    float *hat2, *inverse2;  ///< as hat1, of the MLP
    float* slope;            ///< [rows, 4 D] of the activation
};

/// One head of one image.
struct HeadScratch {
    float *q, *k, *v, *out, *scores;
};

/// Buffers of a group of images.
struct GroupBuffers {
    float *x, *inverse, *mixed, *hidden, *cls;  ///< x: the residual stream, then its gradient
    float *qkv, *q;                             ///< gradients
    float *lastHat, *lastInverse;
    HeadScratch head;
    std::vector<BlockTrace> blocks;
};

/// Entry points of the vector code.
struct FrozenKernels {
    static std::size_t tileWidth();
    /// C [rows, b.columns] = A [rows, b.depth] B; rows follow each other.
    static void product(std::size_t rows, const float* a, const PackedMatrix& b, float* c);
    static void forward(const FrozenNetwork& net, const float* images, std::size_t first, std::size_t count,
                        std::span<const FrozenVit::Extra> extras, float* features, const GroupBuffers& buffers,
                        bool keep);
    /// `lowest`: the lowest block that has extras; the gradient goes no further.
    static void backward(const FrozenNetwork& net, const float* featureGradient, std::size_t first, std::size_t count,
                         std::span<const FrozenVit::Extra> extras, std::span<float* const> gradients,
                         std::size_t lowest, const GroupBuffers& buffers);
};

/// The right factor of a product: `at(k, n)` is its row k, column n.
template <class At>
PackedMatrix packedMatrix(std::size_t depth, std::size_t columns, At at) {
    PackedMatrix matrix;
    matrix.depth = depth;
    matrix.columns = NetworkSizes::padded(columns);
    const std::size_t width = FrozenKernels::tileWidth(), panels = (matrix.columns + width - 1) / width;
    matrix.data = AlignedFloats(panels * width * depth);
    float* out = matrix.data.get();
    for (std::size_t p = 0; p < panels; ++p)
        for (std::size_t k = 0; k < depth; ++k, out += width)
            for (std::size_t j = 0; j < width && p * width + j < columns; ++j) out[j] = at(k, p * width + j);
    return matrix;
}

}  // namespace palimpsest
