// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/optim/perturbation.h"

namespace palimpsest {
namespace {

constexpr double kLeastLength = 1e-12;

}  // namespace

Perturbation::Perturbation(const std::vector<NamedTensor>& parameters, double reach) {
    NoGradGuard guard;
    std::vector<Tensor> norms;
    for (const auto& [name, tensor] : parameters) {
        if (!tensor.grad().defined()) continue;
        moved_.push_back({tensor, tensor.clone()});
        norms.push_back(tensor.grad().norm());
    }
    if (!norms.empty()) norm_ = at::stack(norms).norm().item<double>();
    const double scale = reach / (norm_ + kLeastLength);
    for (const auto& [tensor, before] : moved_) tensor.add_(tensor.grad(), scale);
}

// Values are saved, because adding and subtracting again would leave rounding errors.
Perturbation::~Perturbation() {
    NoGradGuard guard;
    for (const auto& [tensor, before] : moved_) tensor.copy_(before);
}

}  // namespace palimpsest
