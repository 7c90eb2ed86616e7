// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

#include "engine/network/vit.h"
#include "engine/network/weights.h"

namespace palimpsest::test {

/// A network small enough to be written by hand: images of 8 x 8 pixels, 4 patches, 2 blocks.
inline VitShape tinyShape() {
    return {8, 4, 3, 8, 2, 2, 2};
}

/// A network with CLIP's special parts.
inline VitShape tinyClip() {
    VitShape shape = tinyShape();
    shape.pre_norm = true;
    shape.patch_bias = false;
    shape.quick_gelu = true;
    shape.norm_epsilon = 1e-5;
    return shape;
}

/// Weights that are all drawn at random, so that a tensor that is mixed up or left out always shows.
inline std::vector<NamedTensor> tinyWeights(const VitShape& shape, std::uint64_t seed = 1) {
    Vit vit(shape);
    Random random(seed);
    for (const auto& [name, tensor] : vit.parameters()) {
        Tensor drawn = tensor;
        fillUniform(drawn, random, -0.6, 0.6);
    }
    return vit.parameters();
}

inline Tensor tinyImages() {
    return at::arange(0, 2 * 3 * 8 * 8).reshape({2, 3, 8, 8}).to(at::kFloat).mul(0.7).sin();
}

inline const Tensor& tensorOf(const std::vector<NamedTensor>& weights, const std::string& name) {
    for (const auto& [known, tensor] : weights)
        if (known == name) return tensor;
    throw std::runtime_error("no tensor " + name);
}

/// Features that a network with these weights computes for tinyImages().
inline Tensor featuresOf(const VitShape& shape, const std::vector<NamedTensor>& weights) {
    Vit vit(shape);
    vit.load(weights, "the test's own weights");
    return vit.features(tinyImages());
}

/// The same from a file, with two heads.
inline Tensor featuresOf(const std::filesystem::path& file) {
    BackboneOptions options{"any", file.string()};
    options.heads = 2;
    return loadBackbone(options, 1, Compute{}).features(tinyImages());
}

}  // namespace palimpsest::test
