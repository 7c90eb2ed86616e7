// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/method/method.h"

namespace palimpsest {

std::vector<std::int64_t> indexVector(const Tensor& index) {
    if (!index.defined()) return {};
    const Tensor host = index.to(at::kCPU).contiguous();
    return {host.data_ptr<std::int64_t>(), host.data_ptr<std::int64_t>() + host.numel()};
}

void Method::makeOptimizerFor(const MethodSetup& setup) {
    const OptimizerSettings settings = setup.exact_optimizer
                                           ? *setup.exact_optimizer
                                           : officialOptimizer(setup.optimizer, setup.learning_rate);
    optimizer_ = makeOptimizer(settings, trainable());
}

UpdateResult Method::update(const UpdateInput& input) {
    const ForwardResult result = forward(input);
    optimizer_->zeroGradients();
    result.loss.backward();
    optimizer_->step();
    return {result.loss.item<double>(), result.accuracy, indexVector(result.selected)};
}

}  // namespace palimpsest
