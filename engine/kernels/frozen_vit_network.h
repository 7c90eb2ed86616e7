// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Private to frozen_vit*.cpp: the network and its buffers as the vector code sees them.
#include <cstddef>
#include <span>
#include <vector>

#include "engine/kernels/aligned_floats.h"
#include "engine/kernels/frozen_vit.h"
#include "engine/kernels/head_sizes.h"
#include "engine/kernels/tile_product.h"

namespace palimpsest {

/// A 3 x 3 convolution with a margin of zeros: a map [side, side, inputs] becomes [side / step, side / step, outputs].
struct StemSizes {
    std::size_t side, inputs, outputs, step;
    bool adds;  ///< to its input

    std::size_t outSide() const { return side / step; }
};

/// Rows of neighbours that are multiplied at once.
inline constexpr std::size_t kStemRows = 96;

struct NetworkSizes : HeadSizes {
    std::size_t imageSize, channels;
    std::vector<StemSizes> stem;
    std::size_t mapSide, mapChannels;  ///< what is cut into patches
    std::size_t patch, tokens, hidden;
    bool quickGelu, bfloat16;
    float epsilon;
    /// Floats from row to row.
    std::size_t row, patchRow, qkvRow, kvRow, hiddenRow;
};

/// The right factor [depth, columns] of a product: in float32 in panels of a tile's width, or in bfloat16.
struct PackedMatrix {
    std::size_t depth = 0, columns = 0;  ///< columns: padded
    AlignedFloats data, bias;            ///< data: empty in bfloat16; bias: empty or [columns]
    TileFactor tiles;                    ///< empty in float32
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
    std::vector<PackedMatrix> stem;
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

/// Buffers of a group of images.
struct GroupBuffers {
    float *x, *inverse, *mixed, *hidden, *cls;  ///< x: the residual stream, then its gradient
    float *qkv, *q;                             ///< gradients
    float *lastHat, *lastInverse;
    float *map, *nextMap, *neighbours;  ///< of the stem, for one image
    HeadScratch head;
    std::vector<BlockTrace> blocks;
};

/// Entry points of the vector code.
struct FrozenKernels {
    static std::size_t tileWidth();
    static void forward(const FrozenNetwork& net, const float* images, std::size_t first, std::size_t count,
                        std::span<const FrozenVit::Extra> extras, float* features, float* tokens,
                        const GroupBuffers& buffers, bool keep);
    /// `lowest`: the lowest block that has extras; the gradient goes no further.
    static void backward(const FrozenNetwork& net, const float* featureGradient, std::size_t first, std::size_t count,
                         std::span<const FrozenVit::Extra> extras, std::span<float* const> gradients,
                         std::size_t lowest, const GroupBuffers& buffers);
};

}  // namespace palimpsest
