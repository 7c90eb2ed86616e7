// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/optim/parameter_average.h"

#include <utility>

#include "engine/checkpoint/state_archive.h"

namespace palimpsest {

ParameterAverage::ParameterAverage(std::vector<NamedTensor> parameters, double decay)
    : parameters_(std::move(parameters)), decay_(decay) {
    for (const auto& [name, tensor] : parameters_) averages_.push_back({name, at::empty_like(tensor.detach())});
    begin();
}

void ParameterAverage::begin() {
    NoGradGuard guard;
    for (std::size_t i = 0; i < parameters_.size(); ++i) averages_[i].tensor.copy_(parameters_[i].tensor);
}

void ParameterAverage::follow() {
    NoGradGuard guard;
    for (std::size_t i = 0; i < parameters_.size(); ++i) averages_[i].tensor.lerp_(parameters_[i].tensor, 1 - decay_);
}

void ParameterAverage::exchange() {
    NoGradGuard guard;
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
        const Tensor value = parameters_[i].tensor.clone();
        parameters_[i].tensor.copy_(averages_[i].tensor);
        averages_[i].tensor.copy_(value);
    }
}

void ParameterAverage::keep(StateArchive& archive) {
    if (archive.restoring() && archive.part().empty()) return begin();
    for (const auto& [name, tensor] : averages_) archive.shared(name, tensor);
}

}  // namespace palimpsest
