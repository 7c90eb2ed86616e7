// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/network/weights.h"

#include <nlohmann/json.hpp>

#include "engine/config/experiment_file.h"
#include "engine/config/nearest_word.h"
#include "engine/network/safetensors.h"
#include "engine/support/error.h"

namespace palimpsest {
namespace {

constexpr std::uint64_t kInitialise = 1;

/// A path that is none was often meant to be one of the two words.
void requireFile(const std::string& weights) {
    std::error_code unreadable;
    if (std::filesystem::exists(weights, unreadable) || unreadable) return;
    const std::vector<std::string> words = {"embedded", "random"};
    const std::string near = nearestWord(weights, words);
    throw inputError("There are no backbone weights " + weights + ".",
                     near.empty() ? "Write embedded, random or the path of a .safetensors file."
                                  : "Did you mean " + near + "?");
}

}  // namespace

std::filesystem::path embeddedBackboneFile() {
    return resourceFolder() / "backbones" / "palimpsest-vit.safetensors";
}

Vit loadBackbone(const BackboneOptions& options, std::uint64_t seed, const Compute& compute) {
    if (options.name != "palimpsest-vit")
        throw inputError("There is no backbone \"" + options.name + "\".", "Choose palimpsest-vit.");
    const auto ready = [&](Vit vit) {
        vit.setTrainable(false);
        vit.setComputeType(compute.type);
        return vit;
    };
    if (options.weights == "random") {
        Vit vit(VitShape{}, compute.device);
        vit.initialise(Random(seed, kInitialise));
        return ready(std::move(vit));
    }
    const bool embedded = options.weights == "embedded";
    if (!embedded) requireFile(options.weights);
    const std::filesystem::path path = embedded ? embeddedBackboneFile() : std::filesystem::path(options.weights);
    const TensorFile file = readSafetensors(path);
    Vit vit(inferShape(file.tensors, file.metadata, path.string()), compute.device);
    vit.load(file.tensors, path.string());
    return ready(std::move(vit));
}

void saveBackbone(const std::filesystem::path& file, const Vit& vit, std::map<std::string, std::string> metadata) {
    const VitShape& s = vit.shape();
    metadata["vit"] = nlohmann::json{{"img_size", s.image_size}, {"patch_size", s.patch_size}, {"embed_dim", s.width},
                                     {"depth", s.depth},         {"num_heads", s.heads},       {"mlp_ratio", s.mlp_ratio}}
                          .dump();
    std::vector<NamedTensor> half;
    for (const auto& [name, tensor] : vit.parameters()) {
        half.push_back({name, tensor.detach().to(at::kHalf)});
        if (!at::isfinite(half.back().tensor).all().item<bool>())
            throw runError("The training diverged: a weight in " + name + " is not finite, so " + file.string() +
                               " was left as it was.",
                           "Lower the learning rate and start again.");
    }
    writeSafetensors(file, half, metadata);
}

}  // namespace palimpsest
