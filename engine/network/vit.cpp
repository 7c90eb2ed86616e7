// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/network/vit.h"

#include <torch/csrc/api/include/torch/version.h>

#include <cmath>

#include "engine/kernels/frozen_vit.h"
#include "engine/kernels/tile_product.h"
#include "engine/network/attention_record.h"
#include "engine/network/dense_layers.h"
#include "engine/network/frozen_pass.h"
#include "engine/support/error.h"

namespace palimpsest {
namespace {

/// Source: OpenAI, CLIP, clip/model.py.
constexpr double kQuickGelu = 1.702;

}  // namespace

Vit::Vit(const VitShape& shape, at::Device device) : shape_(shape), device_(device) {
    const std::int64_t d = shape.width;
    if (shape.class_token) class_token_ = add("cls_token", {1, 1, d});
    position_ = add("pos_embed", {1, shape.positions(), d});
    if (shape.extra_tokens > 0) extra_tokens_ = add("reg_token", {1, shape.extra_tokens, d});
    for (std::size_t i = 0; i < shape.stem.size(); ++i)
        stem_.push_back({add(stemName(i, "weight"), {shape.stem[i], shape.stemInputs(i), 3, 3}),
                         add(stemName(i, "bias"), {shape.stem[i]})});
    patch_.weight = add("patch_embed.proj.weight", {d, shape.mapChannels(), shape.mapPatch(), shape.mapPatch()});
    // Unused placeholder where the patch embedding has no bias.
    patch_.bias = shape.patch_bias ? add("patch_embed.proj.bias", {d}) : patch_.weight;
    if (shape.pre_norm) pre_norm_ = addNorm("norm_pre");
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
    if (shape.readout == VitReadout::Attention)
        pool_ = Pool{.latent = add("attn_pool.latent", {1, 1, d}),
                     .q = addLinear("attn_pool.q", d, d),
                     .kv = addLinear("attn_pool.kv", 2 * d, d),
                     .proj = addLinear("attn_pool.proj", d, d),
                     .norm = addNorm("attn_pool.norm"),
                     .fc1 = addLinear("attn_pool.mlp.fc1", shape.mlp_ratio * d, d),
                     .fc2 = addLinear("attn_pool.mlp.fc2", d, shape.mlp_ratio * d)};
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
    // Layers without a norm keep the deviation of what passes through them (He et al., ICCV 2015).
    for (std::size_t i = 0; i < stem_.size(); ++i)
        fillTruncatedNormal(
            parameters_[stem_[i].weight].tensor, random,
            std::sqrt((shape_.stemAdds(i) ? 0.5 : 2.0) / static_cast<double>(9 * shape_.stemInputs(i))));
    clearCasts();
}

void Vit::load(const std::vector<NamedTensor>& tensors, const std::string& origin, const OwnNames& own) {
    NoGradGuard guard;
    const TensorsByName given = byTimmName(tensors);
    for (auto& [name, tensor] : parameters_) {
        tensor.copy_(neededTensor(given, name, tensor.sizes(), origin, own));
        if (!at::isfinite(tensor).all().item<bool>())
            throw inputError("The weights " + origin + " hold a number in " + own.nameOf(name) + " that is not finite.",
                             "Give weights of a training that did not diverge.");
    }
    clearCasts();
}

void Vit::setTrainable(bool trainable) {
    for (auto& [name, tensor] : parameters_) tensor.requires_grad_(trainable);
    clearCasts();
}

std::vector<NamedTensor> Vit::lastBlocks(std::int64_t count) const {
    std::vector<NamedTensor> last;
    for (const NamedTensor& parameter : parameters_)
        for (std::int64_t i = shape_.depth - count; i < shape_.depth; ++i)
            if (parameter.name.starts_with("blocks." + std::to_string(i) + ".")) last.push_back(parameter);
    return last;
}

Vit Vit::withLearningBlocks(std::int64_t count) const {
    if (count < 0 || count > shape_.depth)
        throw inputError(std::to_string(count) + " blocks of the backbone are to learn, but it has " +
                             std::to_string(shape_.depth) + ".",
                         "Lower method.trained_blocks.");
    Vit learning = *this;
    for (NamedTensor& parameter : learning.parameters_)
        for (const NamedTensor& last : lastBlocks(count))
            if (parameter.name == last.name) parameter.tensor = last.tensor.detach().clone().requires_grad_(true);
    learning.clearCasts();
    return learning;
}

void Vit::setComputeType(at::ScalarType type) {
    compute_ = type;
    clearCasts();
}

void Vit::clearCasts() {
    for (Tensor& cast : casts_) cast.reset();
    frozen_.reset();
}

std::shared_ptr<const FrozenVit> Vit::frozen() const {
    // Its passes know the class token and the patches alone.
    if (!shape_.isPlain() || shape_.tanh_gelu) return nullptr;
    if (!device_.is_cpu() || (compute_ != at::kFloat && !(compute_ == at::kBFloat16 && hasTileProducts())))
        return nullptr;
    std::vector<std::int64_t> versions;
    for (const NamedTensor& parameter : parameters_) {
        if (parameter.tensor.requires_grad()) return nullptr;
        versions.push_back(static_cast<std::int64_t>(parameter.tensor._version()));
    }
    if (frozen_ && versions == frozen_versions_) return frozen_;
    const auto floats = [&](std::size_t i) { return parameters_[i].tensor.data_ptr<float>(); };
    const auto linearOf = [&](const Linear& layer) { return LinearWeights{floats(layer.weight), floats(layer.bias)}; };
    const auto normOf = [&](const Linear& layer) { return NormWeights{floats(layer.weight), floats(layer.bias)}; };
    FrozenVitWeights weights{.stem = {},
                             .patch = {floats(patch_.weight), shape_.patch_bias ? floats(patch_.bias) : nullptr},
                             .class_token = floats(class_token_),
                             .position = floats(position_),
                             .pre_norm = {},
                             .blocks = {},
                             .norm = normOf(norm_)};
    for (const Linear& layer : stem_) weights.stem.push_back(linearOf(layer));
    if (pre_norm_) weights.pre_norm = normOf(*pre_norm_);
    for (const Block& b : blocks_)
        weights.blocks.push_back({.norm1 = normOf(b.norm1),
                                  .norm2 = normOf(b.norm2),
                                  .qkv = linearOf(b.qkv),
                                  .proj = linearOf(b.proj),
                                  .fc1 = linearOf(b.fc1),
                                  .fc2 = linearOf(b.fc2)});
    frozen_ =
        std::make_shared<FrozenVit>(FrozenVitShape{shape_.image_size, shape_.mapPatch(), shape_.channels, shape_.stem,
                                                   shape_.width, shape_.heads, shape_.mlp_ratio * shape_.width,
                                                   shape_.quick_gelu, shape_.norm_epsilon, compute_ == at::kBFloat16},
                                    weights);
    frozen_versions_ = versions;
    return frozen_;
}

Tensor Vit::cast(std::size_t index) const {
    const Tensor& parameter = parameters_[index].tensor;
    if (compute_ == at::kFloat) return parameter;
    if (parameter.requires_grad()) return parameter.to(compute_);
    if (!casts_[index].defined()) casts_[index] = parameter.to(compute_);
    return casts_[index];
}

Tensor Vit::product(const Tensor& x, const Tensor& weight, const Tensor& bias) const {
    const Tensor input = x.to(compute_);
    return !plain_ && suitsDenseLinear(input, weight) ? denseLinear(input, weight, bias)
                                                      : at::linear(input, weight, bias);
}

Tensor Vit::linear(const Linear& layer, const Tensor& x) const {
    return product(x, cast(layer.weight), cast(layer.bias));
}

Tensor Vit::layerNorm(const Linear& layer, const Tensor& x) const {
    return at::layer_norm(x, {shape_.width}, parameters_[layer.weight].tensor, parameters_[layer.bias].tensor,
                          shape_.norm_epsilon);
}

Tensor Vit::stemMap(const Tensor& images) const {
    Tensor x = images.to(compute_);
    for (std::size_t i = 0; i < stem_.size(); ++i) {
        const std::int64_t step = shape_.stemStep(i);
        const Tensor y = at::conv2d(x, cast(stem_[i].weight), cast(stem_[i].bias), {step, step}, {1, 1});
        x = at::relu(shape_.stemAdds(i) ? x + y : y);
    }
    return x;
}

Tensor Vit::embed(const Tensor& images) const {
    if (AttentionRecord* record = AttentionRecord::current()) record->beginPass();
    const std::int64_t p = shape_.mapPatch(), side = shape_.mapSide() / p, batch = images.size(0);
    // A convolution whose stride is its kernel is one matrix product over patches, which is faster on a CPU.
    const Tensor patches = (stem_.empty() ? images : stemMap(images))
                               .reshape({batch, shape_.mapChannels(), side, p, side, p})
                               .permute({0, 2, 4, 1, 3, 5})
                               .reshape({batch, side * side, shape_.mapChannels() * p * p});
    const Tensor weight = cast(patch_.weight).reshape({shape_.width, -1});
    const Tensor bias = shape_.patch_bias ? cast(patch_.bias) : Tensor();
    const Tensor tokens =
        (bias.defined() ? product(patches, weight, bias) : at::linear(patches.to(compute_), weight)).to(at::kFloat);
    const auto forAll = [&](std::size_t i) { return parameters_[i].tensor.expand({batch, -1, -1}); };
    Tensor x =
        (shape_.class_token ? at::cat({forAll(class_token_), tokens}, 1) : tokens) + parameters_[position_].tensor;
    if (shape_.extra_tokens > 0) {
        const std::int64_t before = shape_.positions() - shape_.patches();
        x = at::cat({x.narrow(1, 0, before), forAll(extra_tokens_), x.narrow(1, before, x.size(1) - before)}, 1);
    }
    return pre_norm_ ? layerNorm(*pre_norm_, x) : x;
}

Tensor Vit::linearRows(const Linear& layer, const Tensor& x, std::int64_t first, std::int64_t count) const {
    return product(x, cast(layer.weight).narrow(0, first, count), cast(layer.bias).narrow(0, first, count));
}

Tensor Vit::attention(const Tensor& queries, const Tensor& keysValues, const Tensor& extra) const {
    AttentionRecord* record = AttentionRecord::current();
    if (!record && !plain_ && device_.is_cpu() && compute_ == at::kFloat)
        return denseAttention(queries, keysValues, extra, shape_.heads);
    const std::int64_t d = shape_.width;
    const Tensor asking = queries.defined() ? queries : keysValues.narrow(2, 0, d);
    const Tensor own = queries.defined() ? keysValues : keysValues.narrow(2, d, 2 * d);
    const Tensor all = extra.defined() ? at::cat({own, extra}, 1) : own;
    const std::int64_t batch = asking.size(0), queried = asking.size(1), count = all.size(1);
    const std::int64_t head = shape_.width / shape_.heads;
#if TORCH_VERSION_MAJOR > 2 || (TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR >= 2)
    // The flash kernels take short formats alone. Their way back need not repeat its bits on a GPU.
    if (!record && !plain_ && compute_ == at::kBFloat16 && !c10::GradMode::is_enabled()) {
        const Tensor kv = all.reshape({batch, count, 2, shape_.heads, head}).permute({2, 0, 3, 1, 4});
        const Tensor q = asking.reshape({batch, queried, shape_.heads, head}).transpose(1, 2);
        return at::scaled_dot_product_attention(q, kv[0], kv[1])
            .transpose(1, 2)
            .reshape({batch, queried, shape_.width});
    }
#endif
    const Tensor q = (asking * (1.0 / std::sqrt(static_cast<double>(head))))
                         .reshape({batch, queried, shape_.heads, head})
                         .transpose(1, 2)
                         .reshape({batch * shape_.heads, queried, head});
    const Tensor kv = all.reshape({batch, count, 2, shape_.heads, head})
                          .permute({2, 0, 3, 1, 4})
                          .reshape({2, batch * shape_.heads, count, head});
    const Tensor scores = at::bmm(q, kv[0].transpose(1, 2));
    if (record) {
        const Tensor shares = at::softmax(scores.detach().select(1, 0).to(at::kFloat), -1);
        record->add({shares.reshape({batch, shape_.heads, count}).mean(1), own.size(1)});
    }
    return at::bmm(at::softmax(scores, -1), kv[1])
        .reshape({batch, shape_.heads, queried, head})
        .transpose(1, 2)
        .reshape({batch, queried, shape_.width});
}

Tensor Vit::extraRows(const Linear& layer, const Tensor& x, std::int64_t first, std::int64_t count) const {
    if (!repeatsBits()) return linearRows(layer, x, first, count);
    const auto rows = [&](std::size_t i) { return parameters_[i].tensor.narrow(0, first, count); };
    const Tensor weight = rows(layer.weight), bias = rows(layer.bias);
    return suitsDenseLinear(x, weight) ? denseLinear(x, weight, bias) : at::linear(x, weight, bias);
}

Tensor Vit::prefixKeysValues(std::int64_t i, const Tensor& keyRows, const Tensor& valueRows) const {
    const Block& b = blocks_[static_cast<std::size_t>(i)];
    const std::int64_t d = shape_.width;
    return at::cat({extraRows(b.qkv, keyRows, d, d), extraRows(b.qkv, valueRows, 2 * d, d)}, 2);
}

Tensor Vit::keysValues(std::int64_t i, const Tensor& tokens) const {
    const Block& b = blocks_[static_cast<std::size_t>(i)];
    return extraRows(b.qkv, layerNorm(b.norm1, tokens), shape_.width, 2 * shape_.width);
}

Tensor Vit::mlp(const Linear& fc1, const Linear& fc2, const Tensor& normed) const {
    const Tensor hidden = linear(fc1, normed);
    const Tensor active = shape_.quick_gelu  ? hidden * at::sigmoid(kQuickGelu * hidden)
                          : shape_.tanh_gelu ? at::gelu(hidden, "tanh")
                                             : at::gelu(hidden);
    return linear(fc2, active).to(at::kFloat);
}

Tensor Vit::withMlp(const Block& b, const Tensor& x) const {
    return x + mlp(b.fc1, b.fc2, layerNorm(b.norm2, x));
}

Tensor Vit::changed(const Tensor& made, const Tensor& x, const LowRank& change, std::int64_t first) const {
    if (!change.down.defined()) return made;
    const Tensor input = x.to(compute_), low = at::linear(input, change.down.to(compute_));
    const auto rows = [&](const Tensor& all) { return all.narrow(0, first, made.size(2)).to(compute_); };
    const Tensor result = made + at::linear(low, rows(change.up));
    return change.matrix.defined() ? result + at::linear(input, rows(change.matrix)) : result;
}

Tensor Vit::block(std::int64_t i, const Tensor& x, const Tensor& extra, const LowRank& change) const {
    const Block& b = blocks_[static_cast<std::size_t>(i)];
    const Tensor normed = layerNorm(b.norm1, x);
    const Tensor mixed = attention({}, changed(linear(b.qkv, normed), normed, change, 0), extra);
    return withMlp(b, x + linear(b.proj, mixed).to(at::kFloat));
}

Tensor Vit::classFeature(const Tensor& x, const Tensor& extra, const LowRank& change) const {
    const Block& b = blocks_.back();
    const std::int64_t d = shape_.width;
    const std::int64_t needed = shape_.readout == VitReadout::ClassToken  ? 1
                                : shape_.readout == VitReadout::TwoTokens ? 2
                                                                          : x.size(1);
    const Tensor normed = layerNorm(b.norm1, x).to(compute_), own = normed.narrow(1, 0, needed);
    const Tensor mixed = attention(changed(linearRows(b.qkv, own, 0, d), own, change, 0),
                                   changed(linearRows(b.qkv, normed, d, 2 * d), normed, change, d), extra);
    return readOut(withMlp(b, x.narrow(1, 0, needed) + linear(b.proj, mixed).to(at::kFloat)));
}

Tensor Vit::readOut(const Tensor& y) const {
    const auto patches = [&] { return y.narrow(1, y.size(1) - shape_.patches(), shape_.patches()); };
    switch (shape_.readout) {
        case VitReadout::TwoTokens:
            return layerNorm(norm_, y.narrow(1, 0, 2)).mean(1);
        case VitReadout::MeanThenNorm:
            return layerNorm(norm_, patches().mean(1));
        case VitReadout::NormThenMean:
            return layerNorm(norm_, patches()).mean(1);
        case VitReadout::Attention:
            return pooled(layerNorm(norm_, patches()));
        case VitReadout::ClassToken:
            break;
    }
    return layerNorm(norm_, y.select(1, 0));
}

Tensor Vit::pooled(const Tensor& patches) const {
    const Tensor query = linear(pool_->q, parameters_[pool_->latent].tensor).expand({patches.size(0), -1, -1});
    const Tensor mixed = attention(query.contiguous(), linear(pool_->kv, patches), {});
    const Tensor y = linear(pool_->proj, mixed).to(at::kFloat);
    return (y + mlp(pool_->fc1, pool_->fc2, layerNorm(pool_->norm, y))).select(1, 0);
}

Tensor Vit::token(const Tensor& x) const {
    if (shape_.readout == VitReadout::ClassToken) return x.select(1, 0);
    if (shape_.readout == VitReadout::TwoTokens) return x.narrow(1, 0, 2).mean(1);
    return x.narrow(1, x.size(1) - shape_.patches(), shape_.patches()).mean(1);
}

Tensor Vit::classPosition() const {
    const Tensor& table = parameters_[position_].tensor;
    return shape_.class_token ? table.narrow(1, 0, 1) : at::zeros({1, 1, shape_.width}, table.options());
}

Tensor Vit::features(const Tensor& images, std::span<const Tensor> extra, std::span<const LowRank> changes) const {
    const bool asksForImages = c10::GradMode::is_enabled() && images.requires_grad();
    if (const auto network =
            plain_ || asksForImages || !changes.empty() || AttentionRecord::current() ? nullptr : frozen())
        return frozenFeatures(network, images, extra, shape_);
    const auto at = [&](std::int64_t i) -> Tensor {
        const auto place = static_cast<std::size_t>(i);
        if (place >= extra.size() || !extra[place].defined()) return {};
        return extra[place].to(compute_).expand({images.size(0), -1, -1});
    };
    const auto change = [&](std::int64_t i) {
        const auto place = static_cast<std::size_t>(i);
        return place < changes.size() ? changes[place] : LowRank{};
    };
    Tensor x = embed(images);
    for (std::int64_t i = 0; i + 1 < shape_.depth; ++i) x = block(i, x, at(i), change(i));
    return classFeature(x, at(shape_.depth - 1), change(shape_.depth - 1));
}

Tensor Vit::classTokens(const Tensor& images) const {
    NoGradGuard guard;
    if (const auto network = plain_ || AttentionRecord::current() ? nullptr : frozen())
        return frozenClassTokens(network, images, shape_);
    std::vector<Tensor> tokens;
    Tensor x = embed(images);
    for (std::int64_t i = 0; i < shape_.depth; ++i) {
        x = block(i, x);
        tokens.push_back(token(x));
    }
    return at::stack(tokens, 1);
}

}  // namespace palimpsest
