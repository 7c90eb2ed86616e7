// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

#include "engine/config/experiment.h"
#include "engine/inputs/backbone_cards.h"
#include "engine/network/compute.h"
#include "engine/network/tensor_file.h"
#include "engine/network/vit.h"

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

/// Converts names and axes to timm's from those of timm itself (DINOv2, DeiT, MAE and SigLIP included), of Hugging
/// Face's ViT, DeiT, MAE, DINOv2, CLIP and SigLIP, of OpenAI's CLIP (and open_clip) and of Google's .npz. What can be
/// said by the parameters of a plainer network is: layer scale (DINOv2; Touvron et al., ICCV 2021) is multiplied into
/// the rows that it scales, the position of a distillation token is added to it. Heads, poolers and the text networks
/// of CLIP and SigLIP are left out. Throws Error(Input) when no layout fits, when a tensor has the wrong number of
/// extents, and for networks with parts that this one lacks (norms of queries and keys, gated MLPs), since their
/// features would silently be wrong. Source: timm, models/vision_transformer.py, _load_weights and
/// checkpoint_filter_fn.
NamedWeights withTimmNames(const TensorFile& file);

/// A file of weights, in the form that a network of `shape` loads.
struct BackboneFile {
    NamedWeights weights;
    VitShape shape;
    std::string format;               ///< "safetensors", "NumPy .npz" or "PyTorch"
    std::int64_t own_image_size = 0;  ///< pixels a side that the file's position table is for
};

/// Reads weights of any format and layout (readTensorFile, withTimmNames). It uses image_size (the position table is
/// resized to it), heads and activation of `options`, unless they are left to the file. Throws Error(Input).
BackboneFile readBackbone(const std::filesystem::path& file, const BackboneOptions& options = {});

/// The position table [1, n * n + 1, D] of a class token and n x n patches, resized for side x side patches: bicubic,
/// half pixels, without smoothing (a = -0.75, align_corners false); the class token's row stays, if there is one
/// (`class_token`; else the table is [1, n * n, D]). float32. Source: timm
/// 0.6, models/vision_transformer.py, resize_pos_embed. Throws Error(Input) for a table that is no square.
Tensor resizedPositions(const Tensor& table, std::int64_t side, const std::string& origin, bool class_token = true);

/// The backbone of that name with its weights: "embedded" (the pretrained file among the resources), "random" (from the
/// seed) or a file of any format that readBackbone() reads. Frozen. Throws Error(Input), also when the file is of
/// another kind than the name.
Vit loadBackbone(const BackboneOptions& options, std::uint64_t seed, const Compute& compute);

/// Writes half precision .safetensors with the network's shape and `metadata` in the header. Throws Error(Run), and
/// leaves the file alone, when a weight is not finite in half precision, since such weights could not be loaded again.
void saveBackbone(const std::filesystem::path& file, const Vit& vit, std::map<std::string, std::string> metadata);

/// Throws Error(Input) when the options name a file of weights that does not exist.
void requireBackboneFile(const BackboneOptions& options);

/// Digest "sha256:HEX" of the file that a backbone is loaded from, or "random, seed 1". GivenUp when the thread's
/// StopScope asks for it. Throws Error(Input) when the file cannot be read.
std::string backboneDigest(const BackboneOptions& options, std::uint64_t seed);

}  // namespace palimpsest
