// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/optimizer.h"

#include <cmath>

#include "engine/support/error.h"

namespace palimpsest {
namespace {

class Adam : public Optimizer {
public:
    Adam(const OptimizerSettings& settings, std::vector<NamedTensor> parameters)
        : Optimizer(std::move(parameters), settings.learning_rate), settings_(settings), state_(parameters_.size()) {}

private:
    struct State {
        Tensor mean, square;
        std::int64_t steps = 0;
    };

    void update(std::size_t index, Tensor& parameter, const Tensor& gradient) override {
        State& s = state_[index];
        if (!s.mean.defined()) {
            s.mean = at::zeros_like(parameter);
            s.square = at::zeros_like(parameter);
        }
        ++s.steps;
        const double decay = settings_.weight_decay, beta1 = settings_.beta1, beta2 = settings_.beta2;
        Tensor g = gradient;
        if (decay > 0 && !settings_.decoupled_decay) g = gradient + parameter * decay;
        if (decay > 0 && settings_.decoupled_decay && parameter.dim() >= 2) parameter.mul_(1 - learning_rate_ * decay);
        s.mean.mul_(beta1).add_(g, 1 - beta1);
        s.square.mul_(beta2).addcmul_(g, g, 1 - beta2);
        const double correction1 = 1 - std::pow(beta1, static_cast<double>(s.steps));
        const double correction2 = 1 - std::pow(beta2, static_cast<double>(s.steps));
        const Tensor denominator = (s.square.sqrt() / std::sqrt(correction2)).add_(settings_.epsilon);
        parameter.addcdiv_(s.mean, denominator, -learning_rate_ / correction1);
    }

    OptimizerSettings settings_;
    std::vector<State> state_;
};

class Sgd : public Optimizer {
public:
    Sgd(const OptimizerSettings& settings, std::vector<NamedTensor> parameters)
        : Optimizer(std::move(parameters), settings.learning_rate),
          settings_(settings),
          velocity_(parameters_.size()) {}

private:
    void update(std::size_t index, Tensor& parameter, const Tensor& gradient) override {
        Tensor g = settings_.weight_decay > 0 ? gradient + parameter * settings_.weight_decay : gradient;
        if (settings_.momentum > 0) {
            Tensor& v = velocity_[index];
            // The first velocity is the gradient itself, as PyTorch has it.
            v = v.defined() ? v.mul_(settings_.momentum).add_(g) : g.clone();
            g = settings_.nesterov ? g + v * settings_.momentum : v;
        }
        parameter.add_(g, -learning_rate_);
    }

    OptimizerSettings settings_;
    std::vector<Tensor> velocity_;
};

}  // namespace

void Optimizer::step() {
    NoGradGuard guard;
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
        Tensor& parameter = parameters_[i].tensor;
        if (parameter.grad().defined()) update(i, parameter, parameter.grad());
    }
}

void Optimizer::zeroGradients() {
    for (auto& [name, tensor] : parameters_) tensor.mutable_grad().reset();
}

std::unique_ptr<Optimizer> makeOptimizer(const OptimizerSettings& settings, std::vector<NamedTensor> parameters) {
    if (settings.kind == OptimizerSettings::Kind::Adam) return std::make_unique<Adam>(settings, std::move(parameters));
    return std::make_unique<Sgd>(settings, std::move(parameters));
}

OptimizerSettings officialOptimizer(const std::string& name, double learningRate) {
    if (name == "adam") return {.learning_rate = learningRate};
    if (name == "sgd")
        return {.kind = OptimizerSettings::Kind::Sgd,
                .learning_rate = learningRate,
                .weight_decay = 1e-4,
                .momentum = 0.9,
                .nesterov = true};
    throw inputError("There is no optimiser \"" + name + "\".", "Choose adam or sgd.");
}

}  // namespace palimpsest
