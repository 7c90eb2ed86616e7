// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "engine/network/tensor.h"

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
/// Name of a read-out in a file's metadata, such as "two-tokens".
const char* readoutName(VitReadout readout);

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

/// A file's own names and shapes of tensors that are known here by timm's names, for messages. Empty: the file uses
/// timm's.
struct OwnNames {
    std::string layout;  ///< "Hugging Face"
    std::function<std::string(const std::string& timm)> name;
    std::function<std::vector<std::int64_t>(const std::string& timm, at::IntArrayRef sizes)> sizes;

    std::string nameOf(const std::string& timm) const { return name ? name(timm) : timm; }
    /// Text such as "[64, 257]".
    std::string sizesTextOf(const std::string& timm, at::IntArrayRef timmSizes) const;
};

/// Name of a parameter of the stem, "weight" or "bias".
std::string stemName(std::size_t layer, const std::string& part);

/// Tensors by timm's names, without the prefixes "backbone.", "module." and "model.".
TensorsByName byTimmName(const std::vector<NamedTensor>& tensors);

/// The tensor of that name and shape. Throws Error(Input) when it is missing, has another shape or holds integers.
const Tensor& neededTensor(const TensorsByName& tensors, const std::string& name, at::IntArrayRef sizes,
                           const std::string& origin, const OwnNames& own = {});

/// The shape of a state dict with timm's names. `heads` cannot be derived from the tensors: it is the file's (metadata
/// "vit"), else width / 64, or width / 32 for narrow networks; quick GELU and epsilon also come from the metadata
/// ("quick_gelu", "norm_epsilon"), else they are the exact GELU and 1e-6. All large matrices of a returned shape are
/// among the tensors, so a network of that shape is no larger than the file. Throws Error(Input). Without the tensor
/// "cls_token" there is no class token; "reg_token" are the extra tokens, "attn_pool.*" the read-out by attention;
/// metadata "readout" and "tanh_gelu" say the rest.
VitShape inferShape(const std::vector<NamedTensor>& tensors, const std::map<std::string, std::string>& metadata,
                    const std::string& origin, const OwnNames& own = {});

}  // namespace palimpsest
