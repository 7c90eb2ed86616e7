// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/network/vit.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "engine/support/error.h"

namespace palimpsest {
namespace {

constexpr double kNormEpsilon = 1e-6;

std::string sizesText(at::IntArrayRef sizes) {
    std::ostringstream out;
    out << sizes;
    return out.str();
}

std::string stripped(const std::string& name) {
    for (const char* prefix : {"backbone.", "module.", "model."})
        if (name.rfind(prefix, 0) == 0) return name.substr(std::string(prefix).size());
    return name;
}

}  // namespace

Vit::Vit(const VitShape& shape, at::Device device) : shape_(shape), device_(device) {
    const std::int64_t d = shape.width;
    class_token_ = add("cls_token", {1, 1, d});
    position_ = add("pos_embed", {1, shape.tokens(), d});
    patch_.weight = add("patch_embed.proj.weight", {d, shape.channels, shape.patch_size, shape.patch_size});
    patch_.bias = add("patch_embed.proj.bias", {d});
    for (std::int64_t i = 0; i < shape.depth; ++i) {
        const std::string name = "blocks." + std::to_string(i) + ".";
        Block block;
        block.norm1 = addNorm(name + "norm1");
        block.qkv = addLinear(name + "attn.qkv", 3 * d, d);
        block.proj = addLinear(name + "attn.proj", d, d);
        block.norm2 = addNorm(name + "norm2");
        block.fc1 = addLinear(name + "mlp.fc1", shape.mlp_ratio * d, d);
        block.fc2 = addLinear(name + "mlp.fc2", d, shape.mlp_ratio * d);
        blocks_.push_back(block);
    }
    norm_ = addNorm("norm");
    casts_.resize(parameters_.size());
}

std::size_t Vit::add(const std::string& name, at::IntArrayRef sizes) {
    parameters_.push_back({name, at::zeros(sizes, at::TensorOptions(at::kFloat).device(device_))});
    return parameters_.size() - 1;
}

Vit::Linear Vit::addLinear(const std::string& name, std::int64_t out, std::int64_t in) {
    return {add(name + ".weight", {out, in}), add(name + ".bias", {out})};
}

Vit::Linear Vit::addNorm(const std::string& name) {
    const Linear layer{add(name + ".weight", {shape_.width}), add(name + ".bias", {shape_.width})};
    parameters_[layer.weight].tensor.fill_(1);
    return layer;
}

void Vit::initialise(Random random) {
    for (auto& [name, tensor] : parameters_)
        if (tensor.dim() >= 2) fillTruncatedNormal(tensor, random, 0.02);
    for (auto& kept : casts_) kept.reset();
}

void Vit::load(const std::vector<NamedTensor>& tensors, const std::string& origin) {
    NoGradGuard guard;
    std::map<std::string, Tensor> given;
    for (const auto& [name, tensor] : tensors) given.emplace(stripped(name), tensor);
    for (auto& [name, tensor] : parameters_) {
        const auto found = given.find(name);
        if (found == given.end())
            throw inputError("The weights " + origin + " lack the tensor " + name + ".",
                             "Give weights of a vision transformer of this depth with timm's parameter names.");
        if (found->second.sizes() != tensor.sizes())
            throw inputError("The weights " + origin + " hold " + name + " of shape " +
                                 sizesText(found->second.sizes()) + " where " + sizesText(tensor.sizes()) +
                                 " is needed.",
                             "Give weights of the same width, depth and patch size, or another backbone.");
        tensor.copy_(found->second);
    }
    for (auto& kept : casts_) kept.reset();
}

void Vit::setTrainable(bool trainable) {
    for (auto& [name, tensor] : parameters_) tensor.requires_grad_(trainable);
    for (auto& kept : casts_) kept.reset();
}

void Vit::setComputeType(at::ScalarType type) {
    compute_ = type;
    for (auto& kept : casts_) kept.reset();
}

Tensor Vit::cast(std::size_t index) const {
    const Tensor& parameter = parameters_[index].tensor;
    if (compute_ == at::kFloat) return parameter;
    if (parameter.requires_grad()) return parameter.to(compute_);
    if (!casts_[index].defined()) casts_[index] = parameter.to(compute_);
    return casts_[index];
}

Tensor Vit::linear(const Linear& layer, const Tensor& x) const {
    return at::linear(x.to(compute_), cast(layer.weight), cast(layer.bias));
}

Tensor Vit::layerNorm(const Linear& layer, const Tensor& x) const {
    return at::layer_norm(x, {shape_.width}, parameters_[layer.weight].tensor, parameters_[layer.bias].tensor,
                          kNormEpsilon);
}

Tensor Vit::embed(const Tensor& images) const {
    const std::int64_t p = shape_.patch_size, side = shape_.image_size / p, batch = images.size(0);
    // A convolution whose stride is its kernel is one matrix product over patches, which is faster on a CPU.
    const Tensor patches = images.reshape({batch, shape_.channels, side, p, side, p})
                               .permute({0, 2, 4, 1, 3, 5})
                               .reshape({batch, side * side, shape_.channels * p * p});
    const Tensor weight = cast(patch_.weight).reshape({shape_.width, -1});
    const Tensor tokens = at::linear(patches.to(compute_), weight, cast(patch_.bias)).to(at::kFloat);
    const Tensor cls = parameters_[class_token_].tensor.expand({batch, 1, shape_.width});
    return at::cat({cls, tokens}, 1) + parameters_[position_].tensor;
}

Tensor Vit::linearRows(const Linear& layer, const Tensor& x, std::int64_t first, std::int64_t count) const {
    return at::linear(x.to(compute_), cast(layer.weight).narrow(0, first, count),
                      cast(layer.bias).narrow(0, first, count));
}

Tensor Vit::attention(const Tensor& queries, const Tensor& keysValues) const {
    const std::int64_t batch = queries.size(0), asked = queries.size(1), count = keysValues.size(1);
    const std::int64_t head = shape_.width / shape_.heads;
    const Tensor q = (queries * (1.0 / std::sqrt(static_cast<double>(head))))
                         .reshape({batch, asked, shape_.heads, head})
                         .transpose(1, 2)
                         .reshape({batch * shape_.heads, asked, head});
    const Tensor kv = keysValues.reshape({batch, count, 2, shape_.heads, head})
                          .permute({2, 0, 3, 1, 4})
                          .reshape({2, batch * shape_.heads, count, head});
    return at::bmm(at::softmax(at::bmm(q, kv[0].transpose(1, 2)), -1), kv[1])
        .reshape({batch, shape_.heads, asked, head})
        .transpose(1, 2)
        .reshape({batch, asked, shape_.width});
}

Tensor Vit::withMlp(const Block& b, const Tensor& x) const {
    return x + linear(b.fc2, at::gelu(linear(b.fc1, layerNorm(b.norm2, x)))).to(at::kFloat);
}

Tensor Vit::block(std::int64_t i, const Tensor& x) const {
    const Block& b = blocks_[static_cast<std::size_t>(i)];
    const Tensor qkv = linear(b.qkv, layerNorm(b.norm1, x));
    const Tensor mixed =
        attention(qkv.narrow(2, 0, shape_.width), qkv.narrow(2, shape_.width, 2 * shape_.width));
    return withMlp(b, x + linear(b.proj, mixed).to(at::kFloat));
}

Tensor Vit::classFeature(const Tensor& x) const {
    const Block& b = blocks_.back();
    const std::int64_t d = shape_.width;
    const Tensor normed = layerNorm(b.norm1, x);
    const Tensor mixed = attention(linearRows(b.qkv, normed.narrow(1, 0, 1), 0, d), linearRows(b.qkv, normed, d, 2 * d));
    const Tensor y = withMlp(b, x.narrow(1, 0, 1) + linear(b.proj, mixed).to(at::kFloat));
    return layerNorm(norm_, y.select(1, 0));
}

Tensor Vit::classPosition() const { return parameters_[position_].tensor.narrow(1, 0, 1); }

Tensor Vit::features(const Tensor& images) const {
    Tensor x = embed(images);
    for (std::int64_t i = 0; i + 1 < shape_.depth; ++i) x = block(i, x);
    return classFeature(x);
}

VitShape inferShape(const std::vector<NamedTensor>& tensors, const std::map<std::string, std::string>& metadata,
                    const std::string& origin) {
    std::map<std::string, Tensor> given;
    std::int64_t depth = 0;
    for (const auto& [name, tensor] : tensors) {
        const std::string plain = stripped(name);
        given.emplace(plain, tensor);
        if (plain.rfind("blocks.", 0) == 0) depth = std::max<std::int64_t>(depth, std::stoll(plain.substr(7)) + 1);
    }
    for (const char* needed : {"patch_embed.proj.weight", "pos_embed", "blocks.0.mlp.fc1.weight"})
        if (!given.count(needed))
            throw inputError("The weights " + origin + " lack the tensor " + needed + ".",
                             "Give a vision transformer's state dict with timm's parameter names.");
    const Tensor patch = given.at("patch_embed.proj.weight"), position = given.at("pos_embed");
    if (patch.dim() != 4 || position.dim() != 3)
        throw inputError("The weights " + origin + " hold a patch embedding or positions of the wrong rank.",
                         "Give a vision transformer's state dict with timm's parameter names.");
    VitShape shape;
    shape.width = patch.size(0);
    shape.channels = patch.size(1);
    shape.patch_size = patch.size(2);
    shape.depth = depth;
    const auto side = static_cast<std::int64_t>(std::llround(std::sqrt(static_cast<double>(position.size(1) - 1))));
    if (side * side + 1 != position.size(1))
        throw inputError("The weights " + origin + " have " + std::to_string(position.size(1)) +
                             " positions, not a square of patches and a class token.",
                         "Only square images are supported.");
    shape.image_size = side * shape.patch_size;
    shape.mlp_ratio = given.at("blocks.0.mlp.fc1.weight").size(0) / shape.width;
    shape.heads = shape.width >= 192 ? shape.width / 64 : std::max<std::int64_t>(1, shape.width / 32);
    if (const auto said = metadata.find("vit"); said != metadata.end()) {
        const auto vit = nlohmann::json::parse(said->second, nullptr, false);
        if (vit.is_object() && vit.contains("num_heads") && vit["num_heads"].is_number_integer())
            shape.heads = vit["num_heads"].get<std::int64_t>();
    }
    if (shape.heads < 1 || shape.width % shape.heads != 0)
        throw inputError("The weights " + origin + " say " + std::to_string(shape.heads) +
                             " heads, which do not divide the width " + std::to_string(shape.width) + ".",
                         "Correct the file's metadata \"vit\".");
    return shape;
}

}  // namespace palimpsest
