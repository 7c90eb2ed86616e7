// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "engine/network/tensor.h"
#include "engine/run/vit_size.h"

namespace palimpsest {

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
/// Name of a read-out in a file's metadata, such as "two-tokens".
const char* readoutName(VitReadout readout);

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
