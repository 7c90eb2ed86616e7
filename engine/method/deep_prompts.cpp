// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/method/deep_prompts.h"

#include "engine/support/error.h"

namespace palimpsest {

Tensor promptedFeatures(const Vit& vit, const Tensor& images, const std::vector<Tensor>& extra) {
    const auto at = [&](std::int64_t i) -> Tensor {
        const auto place = static_cast<std::size_t>(i);
        if (place >= extra.size() || !extra[place].defined()) return {};
        return extra[place].to(vit.computeType()).expand({images.size(0), -1, -1});
    };
    const std::int64_t last = vit.shape().depth - 1;
    Tensor x = vit.embed(images);
    for (std::int64_t i = 0; i < last; ++i) x = vit.block(i, x, at(i));
    return vit.classFeature(x, at(last));
}

void requireBlocks(const Vit& vit, std::int64_t blocks, const std::string& method) {
    if (vit.shape().depth >= blocks) return;
    throw inputError(method + " needs a backbone of at least " + std::to_string(blocks) + " blocks; this one has " +
                         std::to_string(vit.shape().depth) + ".",
                     "Choose a deeper backbone or another method.");
}

}  // namespace palimpsest
