// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

#include "engine/config/experiment.h"
#include "engine/network/compute.h"
#include "engine/network/vit.h"

namespace palimpsest {

/// Backbone by name and weights: "embedded" (the pretrained file among the resources), "random" (from the seed) or a
/// .safetensors file whose tensors decide the shape. Frozen. Throws Error(Input).
Vit loadBackbone(const BackboneOptions& options, std::uint64_t seed, const Compute& compute);

/// Half precision .safetensors with the network's shape and `metadata` in its header. Throws Error(Run), and leaves the
/// file alone, when a weight is not finite in half precision: such weights could not be loaded again.
void saveBackbone(const std::filesystem::path& file, const Vit& vit, std::map<std::string, std::string> metadata);

std::filesystem::path embeddedBackboneFile();

}  // namespace palimpsest
