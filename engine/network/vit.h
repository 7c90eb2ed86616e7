// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "engine/network/vit_shape.h"

namespace palimpsest {

class FrozenVit;

/// A change of low rank to what the fused matrix of a block's attention makes of its input x: up (down x) is added to
/// queries, keys and values (Hu et al., LoRA, ICLR 2022). Undefined tensors: no change.
struct LowRank {
    Tensor down;      ///< [R, D]
    Tensor up;        ///< [3 D, R], rows of the queries first, then of the keys, then of the values
    Tensor matrix{};  ///< [3 D, D] of any rank, added besides up (down x) where there is one
};

/// A vision transformer with timm's parameter names (pre-norm blocks, fused qkv with bias, exact GELU, LayerNorm eps
/// 1e-6, no dropout; MISA, models/vit.py), or those of CLIP, DINOv2, DeiT, MAE or SigLIP, depending on its shape. It
/// has no head: see LinearHead. "Class token" below is what stands for it where a network has none, or another
/// read-out: see token(). The residual stream is float32; with bfloat16 the matrix products are computed in bfloat16,
/// and the attention too where LibTorch's operators compute it.
///
/// Used by one thread at a time, const functions included: a pass keeps the casts of frozen parameters, or their packed
/// form.
class Vit {
public:
    explicit Vit(const VitShape& shape, at::Device device = at::kCPU);

    const VitShape& shape() const { return shape_; }
    /// Sets timm's initial values: truncated normal 0.02 for matrices, tokens and positions; zero biases.
    void initialise(Random random);
    /// Copies every parameter from `tensors` (a prefix such as "backbone." is stripped; head tensors are ignored).
    /// Throws Error(Input) naming the first tensor that is missing, of another shape or not finite.
    void load(const std::vector<NamedTensor>& tensors, const std::string& origin, const OwnNames& own = {});

    /// Live parameters, in the order of the official state dict.
    const std::vector<NamedTensor>& parameters() const { return parameters_; }
    void setTrainable(bool trainable);
    /// A network that shares all parameters with this one except those of the last `count` blocks, which are copies of
    /// its own that learn. Throws Error(Input) where there are not so many blocks.
    Vit withLearningBlocks(std::int64_t count) const;
    /// Those of the last `count` blocks, in the order of parameters().
    std::vector<NamedTensor> lastBlocks(std::int64_t count) const;
    void setComputeType(at::ScalarType type);
    /// Computes with LibTorch's operators alone, without our own vector code: what that is compared with.
    void setPlain(bool plain) { plain_ = plain; }
    at::ScalarType computeType() const { return compute_; }
    at::Device device() const { return device_; }

    /// Patch embedding, class token, positions and extra tokens, and CLIP's LayerNorm: images [B, 3, H, W] ->
    /// [B, shape().tokens(), D]; the patches are the last of them.
    Tensor embed(const Tensor& images) const;
    /// Transformer block i on any number of tokens: [B, M, D] -> [B, M, D].
    /// `extra`: keys and values [B, L, 2 D] of further tokens that are attended to but have no output of their own.
    Tensor block(std::int64_t i, const Tensor& x, const Tensor& extra = {}, const LowRank& change = {}) const;
    /// The last block and the read-out: [B, M, D] -> [B, D]. Outputs of tokens that are never used, all but the class
    /// token's with most networks, are not computed.
    Tensor classFeature(const Tensor& x, const Tensor& extra = {}, const LowRank& change = {}) const;
    /// Keys and values [P, L, 2 D] of tokens [P, L, D] in the attention of block i, in the type of the computation.
    Tensor keysValues(std::int64_t i, const Tensor& tokens) const;
    /// Keys and values [P, L, 2 D] from inputs of the key matrix and of the value matrix themselves, two of [P, L, D],
    /// without LayerNorm (prefix tuning).
    Tensor prefixKeysValues(std::int64_t i, const Tensor& keyRows, const Tensor& valueRows) const;
    /// What stands for an image among tokens between two blocks: the class token, the mean of it and of the
    /// distillation token, or that of the patches: [B, M, D] -> [B, D].
    Tensor token(const Tensor& x) const;
    /// Position embedding of the class token, [1, 1, D], zero where there is none; prompts use it too.
    Tensor classPosition() const;
    /// The final LayerNorm of any tokens: [..., D] -> [..., D].
    Tensor finalNorm(const Tensor& x) const { return layerNorm(norm_, x); }
    /// Class token after all blocks and the final LayerNorm: [B, 3, H, W] -> [B, D]. `extra[i]`: keys and values
    /// [B or 1, L, 2 D] that block i attends to besides its own tokens; where it is undefined, and beyond the list's
    /// end, a block has none (the official codes append prompt tokens, run the block and throw the prompts' outputs
    /// away, which is the same). A frozen network on the processor, in float32 or where there are tiles for bfloat16,
    /// computes this image by image (FrozenVit), with the same numbers but for rounding; else it is the blocks above
    /// one after the other. `changes[i]`: of block i, beyond the list's end none; with any, it is always the blocks.
    Tensor features(const Tensor& images, std::span<const Tensor> extra = {},
                    std::span<const LowRank> changes = {}) const;
    /// The class token after each block, before the final LayerNorm: [B, 3, H, W] -> [B, depth, D], no gradient.
    Tensor classTokens(const Tensor& images) const;
    /// True if features() and classTokens() of an image have the same bits whatever images are beside it: where
    /// FrozenVit computes them.
    bool repeatsBits() const { return !plain_ && frozen() != nullptr; }

private:
    struct Linear {
        std::size_t weight, bias;
    };
    struct Block {
        Linear norm1, qkv, proj, norm2, fc1, fc2;
    };
    /// Of the read-out by attention.
    struct Pool {
        std::size_t latent;
        Linear q, kv, proj, norm, fc1, fc2;
    };
    std::size_t add(const std::string& name, at::IntArrayRef sizes);
    Linear addLinear(const std::string& name, std::int64_t out, std::int64_t in);
    Linear addNorm(const std::string& name);
    /// The map that is cut into patches: images [B, 3, H, W] -> [B, C, h, w].
    Tensor stemMap(const Tensor& images) const;
    /// x W^T + bias in the type of the computation.
    Tensor product(const Tensor& x, const Tensor& weight, const Tensor& bias) const;
    Tensor linear(const Linear& layer, const Tensor& x) const;
    /// Outputs [first, first + count) of a linear layer.
    Tensor linearRows(const Linear& layer, const Tensor& x, std::int64_t first, std::int64_t count) const;
    /// The same for keys and values of prompts: in float32 where FrozenVit computes the rest.
    Tensor extraRows(const Linear& layer, const Tensor& x, std::int64_t first, std::int64_t count) const;
    /// `made` [B, M, n] of x [B, M, D] by rows [first, first + n) of the fused matrix, with those rows of the change.
    Tensor changed(const Tensor& made, const Tensor& x, const LowRank& change, std::int64_t first) const;
    /// Attention of queries [B, Q, D] over keys and values [B, M, 2 D] (without queries: of all tokens over themselves,
    /// from [B, M, 3 D]) and `extra`, in the type of the computation -> [B, Q, D].
    Tensor attention(const Tensor& queries, const Tensor& keysValues, const Tensor& extra) const;
    Tensor mlp(const Linear& fc1, const Linear& fc2, const Tensor& normed) const;
    /// The feature of what the last block gave for the tokens that the read-out needs.
    Tensor readOut(const Tensor& y) const;
    Tensor pooled(const Tensor& patches) const;
    /// Second half of a block: x + MLP(LN2(x)).
    Tensor withMlp(const Block& block, const Tensor& x) const;
    Tensor layerNorm(const Linear& layer, const Tensor& x) const;
    /// The parameter in the type of the computation. Casts of frozen parameters are made on first use and kept.
    Tensor cast(std::size_t index) const;
    void clearCasts();
    /// The network for whole images; null where the parameters learn, on a GPU, and in bfloat16 without tiles.
    std::shared_ptr<const FrozenVit> frozen() const;

    VitShape shape_;
    at::Device device_;
    at::ScalarType compute_ = at::kFloat;
    bool plain_ = false;
    std::vector<NamedTensor> parameters_;
    mutable std::vector<Tensor> casts_;                  ///< cache of cast(), by parameter; undefined: not cast yet
    mutable std::shared_ptr<const FrozenVit> frozen_;    ///< cache of frozen()
    mutable std::vector<std::int64_t> frozen_versions_;  ///< of the parameters that frozen_ was made from
    std::size_t class_token_ = 0, position_ = 0, extra_tokens_ = 0;  ///< the first and the last: where there are some
    std::vector<Linear> stem_;
    Linear patch_, norm_;
    std::optional<Linear> pre_norm_;
    std::vector<Block> blocks_;
    std::optional<Pool> pool_;
};

}  // namespace palimpsest
