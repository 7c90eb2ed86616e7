// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/method/method.h"
#include "engine/method_options/block_prompt_options.h"
#include "engine/method_options/head_method_options.h"
#include "engine/method_options/prompt_options.h"
#include "engine/network/compute.h"
#include "engine/optim/output_units.h"

namespace palimpsest {

/// Sets sizes that suit a network of width 32 and tests.
inline void makeSmall(MethodOptions& method) {
    method.of<PromptPoolOptions>().size = 3;
    method.of<PromptOptions>().g_length = method.of<PromptOptions>().e_length = 2;
    method.of<L2pOptions>().length = method.of<L2pOptions>().selected = 2;
    method.of<BlockPromptOptions>().length = 2;
    method.of<RandomFeatureOptions>().count = 24;
    method.of<AnalyticHeadOptions>().ridge = method.of<FlyPromptOptions>().ridge = 1e-3;
}

/// A method on a small random vision transformer: 16 x 16 pixels, 17 tokens of width 32, 5 blocks.
inline MethodSetup smallSetup(const std::string& name, std::int64_t classes = 4) {
    prepareCompute("cpu", "float32", 1);
    MethodSetup setup;
    setup.vit = std::make_shared<Vit>(VitShape{16, 4, 3, 32, 5, 2, 2});
    setup.vit->initialise(Random(1));
    setup.classes = classes;
    setup.method.name = name;
    setup.method.of<DualPromptOptions>().selection = "full-pool";
    makeSmall(setup.method);
    setup.initial_session.prompts = "none";
    setup.optimizer = "adam";
    setup.learning_rate = 5e-3;
    return setup;
}

/// Images of random pixels, the same for the same seed.
inline Tensor noiseImages(std::int64_t count, std::uint64_t seed) {
    Tensor images = at::zeros({count, 3, 16, 16});
    Random random(seed);
    fillNormal(images, random);
    return images;
}

/// Random images of the units 0, 1, 2, 0, 1, 2, ...; only the first four classes of all are visible.
inline UpdateInput noiseBatch(std::int64_t count, std::uint64_t seed, std::int64_t classes = 4) {
    return {noiseImages(count, seed), at::arange(0, count) % 3, seenMask(4, classes, at::kCPU)};
}

inline Tensor named(const std::vector<NamedTensor>& tensors, const std::string& name) {
    for (const NamedTensor& entry : tensors)
        if (entry.name == name) return entry.tensor;
    return {};
}

/// The prompted pass as drawn in the papers: each block runs on its tokens and on appended prompt tokens [B, L, D],
/// whose outputs are discarded. `prompts[i]` belongs to block i; undefined: none.
inline Tensor appendedFeature(const Vit& vit, const Tensor& images, const std::vector<Tensor>& prompts) {
    Tensor x = vit.embed(images);
    const std::int64_t own = x.size(1);
    for (std::int64_t i = 0; i < vit.shape().depth; ++i) {
        const auto place = static_cast<std::size_t>(i);
        const bool prompted = place < prompts.size() && prompts[place].defined();
        x = vit.block(i, prompted ? at::cat({x, prompts[place]}, 1) : x).narrow(1, 0, own);
    }
    return vit.finalNorm(x).select(1, 0);
}

inline double largestDifference(const Tensor& a, const Tensor& b) {
    return (a.detach().to(at::kDouble) - b.detach().to(at::kDouble)).abs().max().item<double>();
}

}  // namespace palimpsest
