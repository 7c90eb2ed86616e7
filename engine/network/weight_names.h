// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/network/safetensors.h"
#include "engine/network/vit_shape.h"

namespace palimpsest {

/// A vision transformer's weights under timm's names, from whatever program.
struct NamedWeights {
    std::vector<NamedTensor> tensors;
    std::map<std::string, std::string>
        metadata;                    ///< the file's; "vit" also has the facts that its names imply (heads, epsilon)
    std::string layout;              ///< "timm", "Hugging Face", "Google JAX", "CLIP (OpenAI)", ...
    std::int64_t head_classes = 0;   ///< outputs of the head that is left out; 0: no head
    OwnNames own;                    ///< for messages about the tensors
    std::vector<std::string> notes;  ///< remarks for the user, one sentence each
};

/// Converts names and axes to timm's from those of timm itself, Hugging Face's ViT, DeiT and CLIP, OpenAI's CLIP (and
/// open_clip) and Google's .npz. Heads, poolers and CLIP's text network are left out. Throws Error(Input) when no
/// layout fits, when a tensor has the wrong number of extents, and for networks with parts that this one lacks (a
/// distillation token, layer scale), since their features would silently be wrong. Source: timm,
/// models/vision_transformer.py, _load_weights and checkpoint_filter_fn.
NamedWeights withTimmNames(const TensorFile& file);

}  // namespace palimpsest
