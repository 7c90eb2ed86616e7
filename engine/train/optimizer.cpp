// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/optimizer.h"

#include <cmath>

#include "engine/support/error.h"

namespace palimpsest {
namespace {

constexpr double kBeta1 = 0.9, kBeta2 = 0.999, kEpsilon = 1e-8;

class Adam : public Optimizer {
public:
    Adam(std::vector<NamedTensor> parameters, double learningRate, double decay)
        : Optimizer(std::move(parameters), learningRate), decay_(decay), state_(parameters_.size()) {}

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
        if (decay_ > 0 && parameter.dim() >= 2) parameter.mul_(1 - learning_rate_ * decay_);
        s.mean.mul_(kBeta1).add_(gradient, 1 - kBeta1);
        s.square.mul_(kBeta2).addcmul_(gradient, gradient, 1 - kBeta2);
        const double correction1 = 1 - std::pow(kBeta1, static_cast<double>(s.steps));
        const double correction2 = 1 - std::pow(kBeta2, static_cast<double>(s.steps));
        const Tensor denominator = (s.square.sqrt() / std::sqrt(correction2)).add_(kEpsilon);
        parameter.addcdiv_(s.mean, denominator, -learning_rate_ / correction1);
    }

    double decay_;
    std::vector<State> state_;
};

class Sgd : public Optimizer {
public:
    Sgd(std::vector<NamedTensor> parameters, double learningRate, double momentum, bool nesterov, double decay)
        : Optimizer(std::move(parameters), learningRate),
          momentum_(momentum),
          decay_(decay),
          nesterov_(nesterov),
          velocity_(parameters_.size()) {}

private:
    void update(std::size_t index, Tensor& parameter, const Tensor& gradient) override {
        Tensor g = decay_ > 0 ? gradient + parameter * decay_ : gradient;
        if (momentum_ > 0) {
            Tensor& v = velocity_[index];
            // The first velocity is the gradient itself, as PyTorch has it.
            v = v.defined() ? v.mul_(momentum_).add_(g) : g.clone();
            g = nesterov_ ? g + v * momentum_ : v;
        }
        parameter.add_(g, -learning_rate_);
    }

    double momentum_, decay_;
    bool nesterov_;
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

std::unique_ptr<Optimizer> makeAdam(std::vector<NamedTensor> parameters, double learningRate, double decay) {
    return std::make_unique<Adam>(std::move(parameters), learningRate, decay);
}

std::unique_ptr<Optimizer> makeSgd(std::vector<NamedTensor> parameters, double learningRate, double momentum,
                                   bool nesterov, double decay) {
    return std::make_unique<Sgd>(std::move(parameters), learningRate, momentum, nesterov, decay);
}

std::unique_ptr<Optimizer> makeOptimizer(const std::string& name, std::vector<NamedTensor> parameters,
                                         double learningRate) {
    if (name == "adam") return makeAdam(std::move(parameters), learningRate);
    if (name == "sgd") return makeSgd(std::move(parameters), learningRate);
    throw inputError("There is no optimiser \"" + name + "\".", "Choose adam or sgd.");
}

}  // namespace palimpsest
