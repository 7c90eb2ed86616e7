// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

#include "engine/config/experiment.h"
#include "engine/network/compute.h"
#include "engine/network/vit.h"
#include "engine/network/weight_names.h"

namespace palimpsest {

/// A file of weights, in the form that a network of `shape` loads.
struct BackboneFile {
    NamedWeights weights;
    VitShape shape;
    std::string format;               ///< "safetensors", "NumPy .npz" or "PyTorch"
    std::int64_t own_image_size = 0;  ///< pixels a side that the file's position table is for
};

/// Reads weights of any format and layout (tensor_file.h, weight_names.h). It uses image_size (the position table is
/// resized to it), heads and activation of `options`, unless they are left to the file. Throws Error(Input).
BackboneFile readBackbone(const std::filesystem::path& file, const BackboneOptions& options = {});

/// The backbone of that name with its weights: "embedded" (the pretrained file among the resources), "random" (from the
/// seed) or a file of any format that readBackbone() reads. Frozen. Throws Error(Input), also when the file is of
/// another kind than the name.
Vit loadBackbone(const BackboneOptions& options, std::uint64_t seed, const Compute& compute);

/// Writes half precision .safetensors with the network's shape and `metadata` in the header. Throws Error(Run), and
/// leaves the file alone, when a weight is not finite in half precision, since such weights could not be loaded again.
void saveBackbone(const std::filesystem::path& file, const Vit& vit, std::map<std::string, std::string> metadata);

std::filesystem::path embeddedBackboneFile();

/// Throws Error(Input) when the options name a file of weights that does not exist.
void requireBackboneFile(const BackboneOptions& options);

/// Digest "sha256:HEX" of the file that a backbone is loaded from, or "random, seed 1". GivenUp when the thread's
/// StopScope asks for it. Throws Error(Input) when the file cannot be read.
std::string backboneDigest(const BackboneOptions& options, std::uint64_t seed);

}  // namespace palimpsest
