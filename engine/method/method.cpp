// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/method/method.h"

#include "engine/checkpoint/state_archive.h"

namespace palimpsest {

std::vector<std::int64_t> indexVector(const Tensor& index) {
    if (!index.defined()) return {};
    const Tensor host = index.to(at::kCPU).contiguous();
    return {host.data_ptr<std::int64_t>(), host.data_ptr<std::int64_t>() + host.numel()};
}

void Method::makeOptimizerFor(const MethodSetup& setup) {
    const OptimizerSettings settings =
        setup.exact_optimizer ? *setup.exact_optimizer : officialOptimizer(setup.optimizer, setup.learning_rate);
    optimizer_ = makeOptimizer(settings, trainable());
}

void Method::keep(StateArchive& archive) {
    archive.within("learned", [&] {
        for (const auto& [name, tensor] : trainable()) archive.shared(name, tensor);
    });
    if (optimizer_) archive.within("optimizer", [&] { optimizer_->keep(archive); });
}

UpdateResult Method::update(const UpdateInput& input) {
    const ForwardResult result = forward(input);
    optimizer_->zeroGradients();
    result.loss.backward();
    optimizer_->step();
    return {result.loss.item<double>(), result.accuracy, indexVector(result.selected)};
}

}  // namespace palimpsest
