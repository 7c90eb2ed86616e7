// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/network/weights.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "datasets/files/file_content.h"
#include "engine/config/backbone_names.h"
#include "engine/config/experiment_file.h"
#include "engine/inputs/backbone_kinds.h"
#include "engine/inputs/known_backbones.h"
#include "engine/network/backbone_file_service.h"
#include "engine/support/error.h"
#include "engine/support/json.h"
#include "engine/support/stop_scope.h"
#include "engine/support/text.h"

namespace palimpsest {
namespace {

constexpr std::uint64_t kInitialise = 1;

void requireImageSize(const VitShape& shape, std::int64_t size) {
    if (size >= shape.patch_size && size % shape.patch_size == 0) return;
    throw inputError("backbone.image_size is " + std::to_string(size) + ", which is no multiple of the patches of " +
                         std::to_string(shape.patch_size) + " pixels.",
                     "Choose a multiple, or 0 for the weights' own size.");
}

void requireHeads(std::int64_t width, std::int64_t heads) {
    if (width % heads != 0)
        throw inputError("backbone.heads is " + std::to_string(heads) + ", which does not divide the width " +
                             std::to_string(width) + ".",
                         "Choose a number that does, or 0.");
}

/// Applies the user's options to the shape, whatever the weights say.
void apply(const BackboneOptions& options, VitShape& shape) {
    if (options.activation == "gelu" || options.activation == "quick-gelu") shape.tanh_gelu = false;
    if (options.activation == "gelu") shape.quick_gelu = false;
    if (options.activation == "quick-gelu") shape.quick_gelu = true;
    if (options.heads > 0) {
        requireHeads(shape.width, options.heads);
        shape.heads = options.heads;
    }
    if (options.image_size > 0) {
        requireImageSize(shape, options.image_size);
        shape.image_size = options.image_size;
    }
}

/// Metadata with the user's number of heads, which replaces the file's before it is checked against the width.
std::map<std::string, std::string> withHeads(std::map<std::string, std::string> metadata, std::int64_t heads) {
    if (heads <= 0) return metadata;
    const nlohmann::json said =
        metadata.contains("vit") ? parsedJson<nlohmann::json>(metadata["vit"]) : nlohmann::json();
    nlohmann::json vit = nlohmann::json::object();
    if (said.is_object())
        for (const auto& [key, value] : said.items())
            if (value.is_primitive()) vit[key] = value;
    vit["num_heads"] = heads;
    metadata["vit"] = vit.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    return metadata;
}

void resizePositions(NamedWeights& weights, const VitShape& shape, const std::string& origin) {
    for (auto& [name, tensor] : weights.tensors)
        if (name == "pos_embed")
            tensor = resizedPositions(tensor, shape.image_size / shape.patch_size, origin, shape.class_token);
}

Vit randomBackbone(const BackboneKind& kind, const BackboneOptions& options, std::uint64_t seed,
                   const Compute& compute) {
    if (kind.choice.value == "any")
        throw inputError("Random weights say no size, and neither does the backbone \"any\".",
                         "Choose a backbone of a certain size, or give a file of weights.");
    VitShape shape = kind.shape;
    apply(options, shape);
    Vit vit(shape, compute.device);
    vit.initialise(Random(seed, kInitialise));
    return vit;
}

void requireKind(const BackboneKind& kind, const VitShape& shape, const std::string& origin) {
    if (kind.any_size || sameKind(kind.shape, shape)) return;
    throw inputError("The backbone " + kind.choice.value + " is " + vitName(kind.shape) + ", but the weights " +
                         origin + " are of " + vitName(shape) + ".",
                     "Choose the backbone that they are of, or any.");
}

/// The file of weights that the options name by its path or, where it is well known, by the name of its card.
std::filesystem::path weightsFile(const BackboneOptions& options) {
    if (options.isEmbedded())
        return options.name == "any" ? embeddedBackboneFile() : embeddedBackboneFile(options.name);
    const std::filesystem::path known = knownBackboneFile(options.weights);
    return known.empty() ? std::filesystem::path(options.weights) : known;
}

}  // namespace

// A missing path is often a misspelt "embedded" or "random".
void requireBackboneFile(const BackboneOptions& options) {
    const std::vector<std::string> words = {"embedded", "random"};
    if (options.weights == words[0] || options.weights == words[1]) return;
    std::error_code unreadable;
    const std::filesystem::path file = weightsFile(options);
    if (std::filesystem::exists(file, unreadable) || unreadable) return;
    if (file != options.weights)
        throw inputError(
            "The backbone weights " + options.weights + " are not there: " + file.string() + " is missing.",
            knownBackboneRemedy(options.weights));
    std::string hint = "Write embedded, random or the path of a file of weights.";
    if (const std::string near = nearestWord(options.weights, words); !near.empty()) {
        hint = "Did you mean " + near + "?";
    } else if (options.weights.find('/') == std::string::npos) {
        // Without a folder it may be meant as the name of well-known weights.
        std::vector<std::string> names;
        for (const BackboneCard& card : knownBackbones()) names.push_back(card.name);
        hint = backboneMeant(options.weights, names, hint);
    }
    throw inputError("There are no backbone weights " + options.weights + ".", hint);
}

std::string backboneDigest(const BackboneOptions& options, std::uint64_t seed) {
    if (options.isRandom()) return "random, seed " + std::to_string(seed);
    const std::filesystem::path file = weightsFile(options);
    const auto checksum = fileChecksum(file, DigestKind::Sha256, {}, StopScope::token());
    if (!checksum) throw GivenUp();
    return checksum->text();
}

Tensor resizedPositions(const Tensor& table, std::int64_t side, const std::string& origin, bool class_token) {
    const std::int64_t others = class_token ? 1 : 0;
    const std::int64_t patches = table.dim() == 3 && table.size(0) == 1 ? table.size(1) - others : 0;
    const auto before =
        static_cast<std::int64_t>(std::llround(std::sqrt(static_cast<double>(std::max<std::int64_t>(patches, 0)))));
    if (before < 1 || before * before != patches || table.size(2) < 1)
        throw inputError("The weights " + origin + " have a table of positions that is no square of patches.",
                         "Leave backbone.image_size at 0.");
    const std::int64_t width = table.size(2);
    const Tensor numbers = table.to(at::kFloat);
    const Tensor grid =
        numbers.narrow(1, others, patches).reshape({1, before, before, width}).permute({0, 3, 1, 2}).contiguous();
    const Tensor resized = at::upsample_bicubic2d(grid, {side, side}, /*align_corners=*/false);
    return at::cat({numbers.narrow(1, 0, others), resized.permute({0, 2, 3, 1}).reshape({1, side * side, width})}, 1);
}

BackboneFile readBackbone(const std::filesystem::path& file, const BackboneOptions& options) {
    const TensorFile tensors = readTensorFile(file);
    BackboneFile result;
    result.format = tensors.format;
    result.weights = withTimmNames(tensors);
    for (const auto& [name, tensor] : result.weights.tensors)
        if (options.heads > 0 && name == "patch_embed.proj.weight" && tensor.dim() > 0)
            requireHeads(tensor.size(0), options.heads);
    result.shape = inferShape(result.weights.tensors, withHeads(result.weights.metadata, options.heads), tensors.origin,
                              result.weights.own);
    result.own_image_size = result.shape.image_size;
    apply(options, result.shape);
    if (result.shape.image_size != result.own_image_size) resizePositions(result.weights, result.shape, tensors.origin);
    return result;
}

Vit loadBackbone(const BackboneOptions& options, std::uint64_t seed, const Compute& compute) {
    const BackboneKind& kind = backboneKind(options.name);
    const auto ready = [&](Vit vit) {
        vit.setTrainable(false);
        vit.setComputeType(compute.type);
        return vit;
    };
    if (options.isRandom()) return ready(randomBackbone(kind, options, seed, compute));
    const bool embedded = options.isEmbedded();
    if (embedded && !kind.any_size)
        throw inputError("The weights that come with the program are of " + std::string(kEmbeddedBackbones[0]) +
                             " and " + std::string(kEmbeddedBackbones[1]) + ", not of " + options.name + ".",
                         "Set backbone.weights to the path of its file; `palimpsest-cli backbones` says where to get "
                         "it.");
    requireBackboneFile(options);
    const std::filesystem::path path = weightsFile(options);
    const BackboneFile file = readBackbone(path, options);
    requireKind(kind, file.shape, path.string());
    Vit vit(file.shape, compute.device);
    vit.load(file.weights.tensors, path.string(), file.weights.own);
    return ready(std::move(vit));
}

void saveBackbone(const std::filesystem::path& file, const Vit& vit, std::map<std::string, std::string> metadata) {
    const VitShape& s = vit.shape();
    nlohmann::json shape{{"img_size", s.image_size}, {"patch_size", s.patch_size}, {"embed_dim", s.width},
                         {"depth", s.depth},         {"num_heads", s.heads},       {"mlp_ratio", s.mlp_ratio}};
    if (s.pre_norm || s.quick_gelu) shape["quick_gelu"] = s.quick_gelu;
    if (s.norm_epsilon != VitShape{}.norm_epsilon) shape["norm_epsilon"] = s.norm_epsilon;
    if (s.tanh_gelu) shape["tanh_gelu"] = true;
    if (s.readout != VitShape{}.readout) shape["readout"] = readoutName(s.readout);
    metadata["vit"] = shape.dump();
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
