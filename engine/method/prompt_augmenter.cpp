// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/method/prompt_augmenter.h"

#include <cmath>

#include "engine/support/error.h"

namespace palimpsest {
namespace {

constexpr std::int64_t kNarrowing = 8;
constexpr double kNormEpsilon = 1e-5;  // PyTorch's own, not the network's 1e-6

}  // namespace

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
