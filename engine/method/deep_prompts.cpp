// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/method/deep_prompts.h"

#include "engine/support/error.h"

namespace palimpsest {

Tensor promptedFeatures(const Vit& vit, const Tensor& images, const std::vector<Tensor>& extra) {
    return vit.features(images, extra);
}

void requireBlocks(const Vit& vit, std::int64_t blocks, const std::string& method) {
    if (vit.shape().depth >= blocks) return;
    throw inputError(method + " needs a backbone of at least " + std::to_string(blocks) + " blocks; this one has " +
                         std::to_string(vit.shape().depth) + ".",
                     "Choose a deeper backbone or another method.");
}

}  // namespace palimpsest
