// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "engine/network/vit.h"

namespace palimpsest {

/// Class-token features [B, D] of images under prompts. `extra[i]`: keys and values [B or 1, L, 2 D] that block i
/// attends to besides its own tokens (see Vit::keysValues); where it is undefined, and beyond its end, a block has
/// none. The official codes append prompt tokens, run the block and throw the prompts' outputs away, which is the same.
Tensor promptedFeatures(const Vit& vit, const Tensor& images, const std::vector<Tensor>& extra);

/// Throws Error(Input) when the network has fewer than `blocks` blocks. `method`: its title.
void requireBlocks(const Vit& vit, std::int64_t blocks, const std::string& method);

}  // namespace palimpsest
