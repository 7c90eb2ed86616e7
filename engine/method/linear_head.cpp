// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/method/linear_head.h"

#include "engine/optim/output_units.h"
#include "engine/support/random.h"

namespace palimpsest {

LinearHead::LinearHead(std::int64_t classes, std::int64_t width, std::uint64_t seed, at::Device device) {
    const auto options = at::TensorOptions(at::kFloat).device(device);
    weight_ = at::zeros({classes, width}, options);
    bias_ = at::zeros({classes}, options);
    Random random(seed, purpose::kHead);
    fillTruncatedNormal(weight_, random, 0.02);
    weight_.requires_grad_(true);
    bias_.requires_grad_(true);
}

std::vector<NamedTensor> LinearHead::parameters(const std::string& prefix) const {
    return {{prefix + "fc.weight", weight_}, {prefix + "fc.bias", bias_}};
}

PushedLogits pushedLogits(const Tensor& masked, const UpdateInput& input) {
    PushedLogits pushed{masked.detach(), input.units, input.mask, {}, {}};
    if (!input.mix) return pushed;
    pushed.others = input.mix->units;
    pushed.shares = input.mix->shares.defined() ? input.mix->shares : at::full({1}, input.mix->lambda, at::kFloat);
    return pushed;
}

ForwardResult plainForward(const Tensor& logits, const UpdateInput& input) {
    const Tensor masked = maskedLogits(logits, input.mask, input.form);
    ForwardResult result;
    result.logits = logits;
    result.loss = at::cross_entropy_loss(masked, input.units);
    if (input.mix && input.mix->shares.defined()) {
        const auto losses = [&](const Tensor& units) {
            return at::cross_entropy_loss(masked, units, {}, at::Reduction::None);
        };
        const Tensor& own = input.mix->shares;
        result.loss = (own * losses(input.units) + (1 - own) * losses(input.mix->units)).mean();
    } else if (input.mix) {
        result.loss = input.mix->lambda * result.loss +
                      (1 - input.mix->lambda) * at::cross_entropy_loss(masked, input.mix->units);
    }
    result.pushed = pushedLogits(masked, input);
    result.accuracy = (masked.detach().argmax(1) == input.units).to(at::kFloat).mean();
    return result;
}

}  // namespace palimpsest
