// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace palimpsest {

/// y = x W^T + b of timm: weight [out, in], bias [out] or null.
struct LinearWeights {
    const float* weight = nullptr;
    const float* bias = nullptr;
};
struct NormWeights {
    const float* weight = nullptr;  ///< [D]
    const float* bias = nullptr;    ///< [D]
};
/// The parameters of a vision transformer in float32, row by row. They are read while a FrozenVit is made; those of the
/// blocks once more when it first makes a trace.
struct FrozenVitWeights {
    struct Block {
        NormWeights norm1, norm2;
        LinearWeights qkv, proj, fc1, fc2;
    };
    std::vector<LinearWeights> stem;  ///< layer by layer [outputs, inputs * 9]
    LinearWeights patch;              ///< [D, channels * patch_size^2], channels: those of the map
    const float* class_token = {};    ///< [D]
    const float* position = {};       ///< [tokens, D]
    std::optional<NormWeights> pre_norm;
    std::vector<Block> blocks;
    NormWeights norm;
};
struct FrozenVitShape {
    std::int64_t image_size, patch_size, channels;  ///< patch_size: in pixels of the map that the stem makes
    /// Channels of the 3 x 3 convolutions before the patches, multiples of 16. A layer with more than the one before it
    /// halves the map, one with as many adds to its input.
    std::vector<std::int64_t> stem;
    std::int64_t width, heads, hidden;  ///< hidden: outputs of fc1
    bool quick_gelu;                    ///< x sigmoid(1.702 x) where others have the exact GELU
    double norm_epsilon;
    bool bfloat16 = false;  ///< factors of the products with weights are rounded; slow without hasTileProducts()
};

/// A frozen vision transformer on the processor, for whole images: each thread carries a few images through all blocks,
/// in buffers that are kept, instead of one operator after the other over the whole batch. Float32, or float32 with the
/// large products in bfloat16; vector instructions chosen at run time. Sums have an order that depends on the image
/// alone, so neither the batch nor the number of threads changes a bit. It may be used by several threads at once.
class FrozenVit {
public:
    /// Keys and values of further tokens (prompts) that a block attends to besides the image's own: [L, 2 D] an image.
    struct Extra {
        const float* keys_values = nullptr;
        std::int64_t count = 0;   ///< L; 0: none
        std::int64_t stride = 0;  ///< floats from image to image; 0: all images share them
    };
    /// Values of a forward pass that backward() needs; the memory of one is kept for the next.
    class Trace;

    FrozenVit(const FrozenVitShape& shape, const FrozenVitWeights& weights);

    /// Class-token features after all blocks and the final LayerNorm: images [B, channels, H, W] -> [B, D].
    /// `extras`: one a block, or none at all. With a trace, backward() may follow. `tokens`: the class token after each
    /// block, before the final LayerNorm, [B, blocks, D]; null: not wanted.
    void forward(const float* images, std::int64_t batch, std::span<const Extra> extras, float* features, int threads,
                 Trace* trace = nullptr, float* tokens = nullptr) const;
    /// Gradients of the extras' keys and values, [B, L, 2 D] a block with extras (null: not wanted), from those of the
    /// features [B, D]. `extras` are those of the forward pass.
    void backward(const float* featureGradient, std::span<const Extra> extras, std::span<float* const> gradients,
                  int threads, Trace& trace) const;

    /// Goes back to this network's store when it is released, also after the network itself.
    std::shared_ptr<Trace> makeTrace() const;

private:
    struct Network;
    std::shared_ptr<const Network> network_;
};

}  // namespace palimpsest
