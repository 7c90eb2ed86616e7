// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>

#include "engine/run/vit_size.h"

// Operations of a vision transformer by formula, from its shape alone: those of the matrix products, where a
// multiplication with its addition counts as two. LayerNorm, softmax and activation are left out, as is usual.

namespace palimpsest {

/// Operations of one image's pass, by the part of the network.
struct PassOperations {
    std::int64_t patches = 0;    ///< patch embedding
    std::int64_t qkv = 0;        ///< queries, keys and values
    std::int64_t attention = 0;  ///< scores, and the values that they weigh
    std::int64_t proj = 0;       ///< projection after the attention
    std::int64_t mlp = 0;

    std::int64_t total() const { return patches + qkv + attention + proj + mlp; }
};

/// Forward pass to the class-token feature. `extras[i]`: prompts, keys and values that block i attends to besides its
/// own tokens; blocks beyond the list's end have none. The last block is computed for the class token alone.
PassOperations forwardOperations(const VitShape& shape, std::span<const std::int64_t> extras = {});

/// Backward pass of a frozen network, from the feature to the keys and values of the extras: gradients of inputs, none
/// of parameters. It ends at the attention of the lowest block that has extras.
PassOperations backwardOperations(const VitShape& shape, std::span<const std::int64_t> extras);

/// Keys and values of `tokens` prompt tokens in one block, or the way back to the tokens.
std::int64_t keysValuesOperations(const VitShape& shape, std::int64_t tokens);

/// Logits of one image by a linear head.
std::int64_t headOperations(const VitShape& shape, std::int64_t classes);

}  // namespace palimpsest
