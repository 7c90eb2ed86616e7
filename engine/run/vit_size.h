// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

// A network's measures alone, for whoever does not see LibTorch.

namespace palimpsest {

inline constexpr std::size_t kMostStemLayers = 16;
inline constexpr std::int64_t kMostExtraTokens = 64;

/// What becomes the feature of an image after the last block. `norm`: the last LayerNorm.
enum class VitReadout {
    ClassToken,    ///< norm of the class token
    TwoTokens,     ///< mean of the norm of the class token and of the one behind it (distilled DeiT)
    MeanThenNorm,  ///< norm of the mean of the patches (timm's fc_norm: MAE as it is fine-tuned)
    NormThenMean,  ///< mean of the norm of the patches
    Attention      ///< one learned query attends to the norm of the patches (SigLIP)
};

struct VitShape {
    std::int64_t image_size = 32;
    std::int64_t patch_size = 4;
    std::int64_t channels = 3;
    std::int64_t width = 128;  ///< D
    std::int64_t depth = 6;
    std::int64_t heads = 4;
    std::int64_t mlp_ratio = 4;
    bool pre_norm = false;       ///< CLIP: a LayerNorm before the first block
    bool patch_bias = true;      ///< CLIP's patch embedding has none
    bool quick_gelu = false;     ///< CLIP: x sigmoid(1.702 x) where others have the exact GELU
    double norm_epsilon = 1e-6;  ///< of every LayerNorm; CLIP: 1e-5, Hugging Face's ViT: 1e-12
    /// Channels of the 3 x 3 convolutions that a picture passes before it is cut into patches; empty: none. A layer
    /// with more channels than the one before it halves the picture's sides, one with as many adds to its input (Xiao
    /// et al., Early Convolutions Help Transformers See Better, NeurIPS 2021; He et al., CVPR 2016).
    std::vector<std::int64_t> stem{};
    bool class_token = true;        ///< SigLIP has none
    std::int64_t extra_tokens = 0;  ///< learned tokens without a position, behind the class token: registers, ...
    VitReadout readout = VitReadout::ClassToken;
    bool tanh_gelu = false;  ///< SigLIP: GELU's approximation by tanh where others have the exact one

    /// Layer i of the stem: inputs and the step from pixel to pixel, 1 or 2.
    std::int64_t stemInputs(std::size_t i) const { return i == 0 ? channels : stem[i - 1]; }
    std::int64_t stemStep(std::size_t i) const { return i > 0 && stem[i] > stem[i - 1] ? 2 : 1; }
    bool stemAdds(std::size_t i) const { return stem[i] == stemInputs(i); }
    /// Pixels of the image a pixel of the map that is cut into patches, a side; 1 without a stem.
    std::int64_t mapStep() const {
        std::int64_t step = 1;
        for (std::size_t i = 0; i < stem.size(); ++i) step *= stemStep(i);
        return step;
    }
    /// The map that is cut into patches; the image itself without a stem.
    std::int64_t mapSide() const { return image_size / mapStep(); }
    std::int64_t mapChannels() const { return stem.empty() ? channels : stem.back(); }
    /// Side of a patch in pixels of the map.
    std::int64_t mapPatch() const { return patch_size / mapStep(); }

    std::int64_t patches() const { return (image_size / patch_size) * (image_size / patch_size); }
    /// Rows of the table of positions.
    std::int64_t positions() const { return patches() + (class_token ? 1 : 0); }
    std::int64_t tokens() const { return positions() + extra_tokens; }
    /// A class token, the patches and nothing else, and the class token is the feature.
    bool isPlain() const { return class_token && extra_tokens == 0 && readout == VitReadout::ClassToken; }
};

}  // namespace palimpsest
