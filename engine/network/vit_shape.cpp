// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/network/vit_shape.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "engine/support/error.h"
#include "engine/support/json.h"

namespace palimpsest {
namespace {

constexpr std::int64_t kDeepestVit = 1000;
constexpr std::int64_t kLargestImage = 4096;

constexpr const char* kCorrectVit = "Correct the file's metadata \"vit\".";
constexpr const char* kDamaged = "Download or make the file again.";
constexpr std::array<VitReadout, 5> kReadouts{VitReadout::ClassToken, VitReadout::TwoTokens, VitReadout::MeanThenNorm,
                                              VitReadout::NormThenMean, VitReadout::Attention};

/// 0 for a number that is no square of at least 1.
std::int64_t squareRoot(std::int64_t number) {
    if (number < 1) return 0;
    const auto root = static_cast<std::int64_t>(std::llround(std::sqrt(static_cast<double>(number))));
    return root * root == number ? root : 0;
}

std::string wanted(const OwnNames& own) {
    return own.layout.empty() ? "Give a vision transformer's state dict with timm's parameter names."
                              : "Give a whole vision transformer with the names of " + own.layout + ".";
}

void requireFractions(const Tensor& tensor, const std::string& name, const std::string& origin, const OwnNames& own) {
    if (!tensor.is_floating_point())
        throw inputError("The weights " + origin + " hold " + own.nameOf(name) +
                             " as integers, where floating-point numbers are needed.",
                         "Download or make the file again.");
}

std::string stripped(const std::string& name) {
    for (const char* prefix : {"backbone.", "module.", "model."})
        if (name.rfind(prefix, 0) == 0) return name.substr(std::string(prefix).size());
    return name;
}

class ShapeReader {
public:
    ShapeReader(const std::vector<NamedTensor>& tensors, const std::string& origin, const OwnNames& own)
        : tensors_(byTimmName(tensors)), origin_(origin), own_(own) {}

    VitShape read(const std::map<std::string, std::string>& metadata) {
        shape_.depth = depth();
        readStem();
        readPatches();
        readPositions();
        readMlp();
        const nlohmann::json vit = vitMetadata(metadata);
        readTokens(vit);
        shape_.heads = heads(vit);
        readVariant(vit);
        requireMatrices();
        return shape_;
    }

private:
    Error bad(const std::string& what, const std::string& hint) const {
        return inputError("The weights " + origin_ + " " + what + ".", hint);
    }
    Error bad(const std::string& what) const { return bad(what, wanted(own_)); }

    const Tensor& ofRank(const std::string& name, std::int64_t rank) const {
        const auto found = tensors_.find(name);
        if (found == tensors_.end()) throw bad("lack the tensor " + own_.nameOf(name));
        const Tensor& tensor = found->second;
        if (tensor.dim() != rank || tensor.numel() == 0)
            throw bad("hold " + own_.nameOf(name) + " of shape " + sizesText(tensor.sizes()) + ", where " +
                      std::to_string(rank) + " extents of at least 1 are needed");
        requireFractions(tensor, name, origin_, own_);
        return tensor;
    }

    std::int64_t depth() const {
        constexpr std::string_view kPrefix = "blocks.";
        std::int64_t depth = 0;
        for (auto it = tensors_.lower_bound(std::string(kPrefix)); it != tensors_.end(); ++it) {
            const std::string& name = it->first;
            if (name.rfind(kPrefix, 0) != 0) break;
            const char* const first = name.data() + kPrefix.size();
            std::int64_t block = -1;
            const auto [rest, error] = std::from_chars(first, name.data() + name.size(), block);
            if (error != std::errc() || block < 0 || block >= kDeepestVit || *rest != '.')
                throw bad("hold the tensor " + name + ", which belongs to none of the blocks 0 to " +
                          std::to_string(kDeepestVit - 1));
            depth = std::max(depth, block + 1);
        }
        if (depth == 0) throw bad("lack the tensor " + own_.nameOf("blocks.0.mlp.fc1.weight"));
        return depth;
    }

    void readStem() {
        for (std::int64_t inputs = 3;;) {
            const std::string name = stemName(shape_.stem.size(), "weight");
            if (!tensors_.contains(name)) return;
            const std::int64_t outputs = ofRank(name, 4).size(0);
            neededTensor(tensors_, name, {outputs, inputs, 3, 3}, origin_, own_);
            if (outputs % 16 != 0 || outputs < inputs)
                throw bad("have " + std::to_string(outputs) + " channels in " + own_.nameOf(name) +
                              ", where a multiple of 16 is needed that is no less than the " + std::to_string(inputs) +
                              " before",
                          "Give weights that `palimpsest-cli pretrain` made.");
            shape_.stem.push_back(inputs = outputs);
        }
    }

    void readPatches() {
        const Tensor& patch = ofRank("patch_embed.proj.weight", 4);
        shape_.width = patch.size(0);
        shape_.patch_size = patch.size(2) * shape_.mapStep();
        if (patch.size(1) != shape_.mapChannels())
            throw bad("are for images of " + std::to_string(patch.size(1)) + " channels",
                      "Give weights for images of 3 channels.");
        if (patch.size(3) != patch.size(2))
            throw bad("have patches of " + std::to_string(patch.size(2)) + " x " + std::to_string(patch.size(3)),
                      "Give weights with square patches.");
    }

    void readPositions() {
        const Tensor& position = ofRank("pos_embed", 3);
        const std::int64_t rows = position.size(1);
        // Where the table has its row, a class token that is missing is said by name.
        shape_.class_token = tensors_.contains("cls_token") || (squareRoot(rows) < 1 && squareRoot(rows - 1) >= 1);
        const std::int64_t side = squareRoot(shape_.class_token ? rows - 1 : rows);
        if (side < 1)
            throw bad(
                "have " + std::to_string(position.size(1)) + " positions, not a square of patches and a class token",
                "Only square images are supported.");
        if (side > kLargestImage / shape_.patch_size)
            throw bad("are for images of " + std::to_string(side) + " patches of " + std::to_string(shape_.patch_size) +
                          " pixels a side",
                      "Give weights for images of at most 4096 pixels a side.");
        shape_.image_size = side * shape_.patch_size;
        neededTensor(tensors_, "pos_embed", {1, shape_.positions(), shape_.width}, origin_, own_);
    }

    /// Tokens besides the patches, and what becomes the feature.
    void readTokens(const nlohmann::json& vit) {
        if (tensors_.contains("reg_token")) {
            shape_.extra_tokens = ofRank("reg_token", 3).size(1);
            if (shape_.extra_tokens > kMostExtraTokens)
                throw bad("have " + std::to_string(shape_.extra_tokens) + " tokens in " + own_.nameOf("reg_token") +
                              ", more than " + std::to_string(kMostExtraTokens),
                          kDamaged);
            neededTensor(tensors_, "reg_token", {1, shape_.extra_tokens, shape_.width}, origin_, own_);
        }
        const bool pool = tensors_.contains("attn_pool.latent");
        shape_.readout = pool                 ? VitReadout::Attention
                         : shape_.class_token ? VitReadout::ClassToken
                                              : VitReadout::NormThenMean;
        if (vit.contains("readout")) {
            const std::string said = vit["readout"].is_string() ? vit["readout"].get<std::string>() : std::string();
            const auto named = [&](VitReadout readout) { return said == readoutName(readout); };
            const auto found = std::ranges::find_if(kReadouts, named);
            if (found == kReadouts.end()) throw bad("do not say in \"readout\" how a feature is read out", kCorrectVit);
            shape_.readout = *found;
        }
        const bool fits = shape_.readout == VitReadout::ClassToken  ? shape_.class_token
                          : shape_.readout == VitReadout::TwoTokens ? shape_.class_token && shape_.extra_tokens > 0
                          : shape_.readout == VitReadout::Attention ? pool && !shape_.class_token
                                                                    : true;
        if (!fits)
            throw bad(std::string("lack the tokens for the read-out \"") + readoutName(shape_.readout) + "\"",
                      kCorrectVit);
        if (!vit.contains("tanh_gelu")) return;
        if (!vit["tanh_gelu"].is_boolean()) throw bad("do not say in \"tanh_gelu\" true or false", kCorrectVit);
        shape_.tanh_gelu = vit["tanh_gelu"].get<bool>();
    }

    void readMlp() {
        const std::int64_t hidden = ofRank("blocks.0.mlp.fc1.weight", 2).size(0);
        if (hidden % shape_.width != 0)
            throw bad("have " + std::to_string(hidden) + " hidden units in " + own_.nameOf("blocks.0.mlp.fc1.weight") +
                      ", not a multiple of the width " + std::to_string(shape_.width));
        shape_.mlp_ratio = hidden / shape_.width;
    }

    /// The object "vit" in the file's metadata; empty when there is none.
    static nlohmann::json vitMetadata(const std::map<std::string, std::string>& metadata) {
        const auto found = metadata.find("vit");
        nlohmann::json vit =
            found == metadata.end() ? nlohmann::json::object() : parsedJson<nlohmann::json>(found->second);
        if (!vit.is_object()) vit = nlohmann::json::object();
        return vit;
    }

    std::int64_t heads(const nlohmann::json& vit) const {
        const std::string width = " the width " + std::to_string(shape_.width);
        if (vit.contains("num_heads")) {
            const auto& number = vit["num_heads"];
            const auto most = static_cast<std::uint64_t>(shape_.width);
            const std::uint64_t heads = number.is_number_unsigned() ? number.get<std::uint64_t>() : 0;
            if (heads < 1 || heads > most || most % heads != 0)
                throw bad("do not say in \"num_heads\" how many heads divide" + width,
                          "Correct the file's metadata \"vit\".");
            return static_cast<std::int64_t>(heads);
        }
        const std::int64_t usual =
            shape_.width >= 192 ? shape_.width / 64 : std::max<std::int64_t>(1, shape_.width / 32);
        if (shape_.width % usual != 0)
            throw bad("do not say how many heads share" + width, "Add \"num_heads\" to the file's metadata \"vit\".");
        return usual;
    }

    /// Reads the flags that distinguish CLIP, and epsilon, the least variance of a LayerNorm.
    void readVariant(const nlohmann::json& vit) {
        shape_.pre_norm = tensors_.contains("norm_pre.weight");
        shape_.patch_bias = !shape_.pre_norm || tensors_.contains("patch_embed.proj.bias");
        if (vit.contains("quick_gelu")) {
            if (!vit["quick_gelu"].is_boolean())
                throw bad("do not say in \"quick_gelu\" true or false", "Correct the file's metadata \"vit\".");
            shape_.quick_gelu = vit["quick_gelu"].get<bool>();
        }
        if (vit.contains("norm_epsilon")) {
            const auto& number = vit["norm_epsilon"];
            shape_.norm_epsilon = number.is_number() ? number.get<double>() : 0;
            if (!(shape_.norm_epsilon > 0 && shape_.norm_epsilon < 1))
                throw bad("do not say in \"norm_epsilon\" a number between 0 and 1",
                          "Correct the file's metadata \"vit\".");
        }
    }

    void requireMatrices() const {
        const std::int64_t d = shape_.width, hidden = shape_.mlp_ratio * d;
        for (std::int64_t i = 0; i < shape_.depth; ++i) {
            const std::string block = "blocks." + std::to_string(i) + ".";
            neededTensor(tensors_, block + "attn.qkv.weight", {3 * d, d}, origin_, own_);
            neededTensor(tensors_, block + "attn.proj.weight", {d, d}, origin_, own_);
            neededTensor(tensors_, block + "mlp.fc1.weight", {hidden, d}, origin_, own_);
            neededTensor(tensors_, block + "mlp.fc2.weight", {d, hidden}, origin_, own_);
        }
        if (shape_.readout != VitReadout::Attention) return;
        neededTensor(tensors_, "attn_pool.latent", {1, 1, d}, origin_, own_);
        neededTensor(tensors_, "attn_pool.q.weight", {d, d}, origin_, own_);
        neededTensor(tensors_, "attn_pool.kv.weight", {2 * d, d}, origin_, own_);
        neededTensor(tensors_, "attn_pool.proj.weight", {d, d}, origin_, own_);
        neededTensor(tensors_, "attn_pool.mlp.fc1.weight", {hidden, d}, origin_, own_);
        neededTensor(tensors_, "attn_pool.mlp.fc2.weight", {d, hidden}, origin_, own_);
    }

    const TensorsByName tensors_;
    const std::string& origin_;
    const OwnNames& own_;
    VitShape shape_;
};

}  // namespace

std::string OwnNames::sizesTextOf(const std::string& timm, at::IntArrayRef timmSizes) const {
    return sizesText(sizes ? at::IntArrayRef(sizes(timm, timmSizes)) : timmSizes);
}

const char* readoutName(VitReadout readout) {
    switch (readout) {
        case VitReadout::TwoTokens:
            return "two-tokens";
        case VitReadout::MeanThenNorm:
            return "mean-then-norm";
        case VitReadout::NormThenMean:
            return "norm-then-mean";
        case VitReadout::Attention:
            return "attention";
        case VitReadout::ClassToken:
            break;
    }
    return "class-token";
}

std::string stemName(std::size_t layer, const std::string& part) {
    return "patch_embed.stem." + std::to_string(layer) + "." + part;
}

TensorsByName byTimmName(const std::vector<NamedTensor>& tensors) {
    TensorsByName named;
    for (const auto& [name, tensor] : tensors) named.emplace(stripped(name), tensor);
    return named;
}

const Tensor& neededTensor(const TensorsByName& tensors, const std::string& name, at::IntArrayRef sizes,
                           const std::string& origin, const OwnNames& own) {
    const auto found = tensors.find(name);
    if (found == tensors.end())
        throw inputError("The weights " + origin + " lack the tensor " + own.nameOf(name) + ".", wanted(own));
    requireFractions(found->second, name, origin, own);
    if (found->second.sizes() != sizes)
        throw inputError("The weights " + origin + " hold " + own.nameOf(name) + " of shape " +
                             own.sizesTextOf(name, found->second.sizes()) + " where " + own.sizesTextOf(name, sizes) +
                             " is needed.",
                         "Give weights of the same width, depth and patch size, or another backbone.");
    return found->second;
}

VitShape inferShape(const std::vector<NamedTensor>& tensors, const std::map<std::string, std::string>& metadata,
                    const std::string& origin, const OwnNames& own) {
    return ShapeReader(tensors, origin, own).read(metadata);
}

}  // namespace palimpsest
