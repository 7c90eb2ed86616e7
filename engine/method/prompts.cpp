// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/method/prompts.h"

#include <algorithm>
#include <cmath>

#include "engine/support/error.h"

namespace palimpsest {
namespace {

constexpr std::int64_t kNarrowing = 8;
constexpr double kNormEpsilon = 1e-5;  // PyTorch's own, not the network's 1e-6

constexpr std::int64_t kPublishedTokens = 197;  // of ViT-B/16: 14 x 14 patches and the class token

}  // namespace

std::int64_t fittedLength(std::int64_t asked, std::int64_t published, std::int64_t tokens) {
    if (asked > 0) return asked;
    const std::int64_t rounded = (2 * published * tokens + kPublishedTokens) / (2 * kPublishedTokens);
    return std::clamp<std::int64_t>(rounded, 1, published);
}

void requireBlocks(const Vit& vit, std::int64_t blocks, const std::string& method) {
    if (vit.shape().depth >= blocks) return;
    throw inputError(method + " needs a backbone of at least " + std::to_string(blocks) + " blocks; this one has " +
                         std::to_string(vit.shape().depth) + ".",
                     "Choose a deeper backbone or another method.");
}

Tensor keyDistances(const Tensor& queries, const Tensor& keys) {
    return 1 - cosine(queries.unsqueeze(1), keys.unsqueeze(0), -1);
}

PromptPool::PromptPool(std::int64_t size, std::int64_t length, std::int64_t width, Random& random, at::Device device) {
    const auto options = at::TensorOptions(at::kFloat).device(device);
    keys_ = at::zeros({size, width}, options);
    prompts_ = at::zeros({size, length, width}, options);
    fillUniform(keys_, random, -1, 1);
    fillUniform(prompts_, random, -1, 1);
    keys_.requires_grad_(true);
    prompts_.requires_grad_(true);
}

PromptPool::Selection PromptPool::select(const Tensor& query, std::int64_t first, std::int64_t count,
                                         bool published) const {
    const Tensor distances = keyDistances(query, keys_.narrow(0, first, count));  // [B, count]
    const Tensor nearest = distances.detach().argmin(1);
    return {published ? nearest : nearest + first, distances.gather(1, nearest.unsqueeze(1)).squeeze(1)};
}

PromptAugmenter::PromptAugmenter(std::int64_t width, Random random, at::Device device) {
    if (width < kNarrowing)
        throw inputError("A network of width " + std::to_string(width) + " is too narrow for augmented prompts.",
                         "Choose a wider backbone, or set initial_session.augment_prompts to none.");
    const std::int64_t hidden = width / kNarrowing;
    const auto options = at::TensorOptions(at::kFloat).device(device);
    const auto drawn = [&](at::IntArrayRef sizes, std::int64_t inputs) {
        Tensor tensor = at::zeros(sizes, options);
        const double bound = 1 / std::sqrt(static_cast<double>(inputs));
        fillUniform(tensor, random, -bound, bound);
        return tensor;
    };
    in_weight_ = drawn({hidden, width}, width);
    in_bias_ = drawn({hidden}, width);
    norm_weight_ = at::ones({hidden}, options);
    norm_bias_ = at::zeros({hidden}, options);
    out_weight_ = drawn({width, hidden}, hidden);
    out_bias_ = drawn({width}, hidden);
    for (const auto& [name, tensor] : parameters({})) tensor.requires_grad_(true);
}

Tensor PromptAugmenter::operator()(const Tensor& tokens) const {
    const Tensor hidden = at::layer_norm(at::linear(tokens, in_weight_, in_bias_), norm_weight_.sizes(), norm_weight_,
                                         norm_bias_, kNormEpsilon);
    return tokens + at::linear(at::relu(hidden), out_weight_, out_bias_);
}

std::vector<NamedTensor> PromptAugmenter::parameters(const std::string& prefix) const {
    return {{prefix + "fc1.weight", in_weight_},   {prefix + "fc1.bias", in_bias_},
            {prefix + "ln1.weight", norm_weight_}, {prefix + "ln1.bias", norm_bias_},
            {prefix + "fc2.weight", out_weight_},  {prefix + "fc2.bias", out_bias_}};
}

}  // namespace palimpsest
