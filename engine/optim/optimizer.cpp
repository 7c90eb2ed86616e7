// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/optim/optimizer.h"

#include <algorithm>
#include <cmath>

#include "engine/checkpoint/state_archive.h"
#include "engine/support/error.h"

namespace palimpsest {
namespace {

/// A copy on the device of `parameter`; zeros of its shape for a state that has not begun.
Tensor copyOf(const Tensor& value, const Tensor& parameter) {
    return value.defined() ? value.to(parameter.options(), /*non_blocking=*/false, /*copy=*/true)
                           : at::zeros_like(parameter);
}

class Adam : public Optimizer {
public:
    Adam(const OptimizerSettings& settings, std::vector<NamedTensor> parameters)
        : Optimizer(std::move(parameters), settings.learning_rate), settings_(settings), state_(parameters_.size()) {}

    std::vector<NamedTensor> state() const override {
        NoGradGuard guard;
        std::vector<NamedTensor> all;
        for (std::size_t i = 0; i < state_.size(); ++i) {
            const auto& [name, parameter] = parameters_[i];
            all.push_back({kMean + name, copyOf(state_[i].mean, parameter)});
            all.push_back({kSquare + name, copyOf(state_[i].square, parameter)});
            all.push_back({kSteps + name, at::full({1}, state_[i].steps, at::kLong)});
        }
        return all;
    }

    void restore(const TensorsByName& state) override {
        NoGradGuard guard;
        std::vector<State> restored;
        for (const auto& [name, parameter] : parameters_)
            restored.push_back({copyOf(savedTensor(state, kMean + name, parameter.sizes()), parameter),
                                copyOf(savedTensor(state, kSquare + name, parameter.sizes()), parameter),
                                savedTensor(state, kSteps + name, {1}).item<std::int64_t>()});
        state_ = std::move(restored);
    }

private:
    static constexpr const char* kMean = "adam.mean.";
    static constexpr const char* kSquare = "adam.square.";
    static constexpr const char* kSteps = "adam.steps.";

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
        const double rate = rateOf(index);
        if (decay > 0 && settings_.decoupled_decay && parameter.dim() >= 2) parameter.mul_(1 - rate * decay);
        s.mean.mul_(beta1).add_(g, 1 - beta1);
        s.square.mul_(beta2).addcmul_(g, g, 1 - beta2);
        const double correction1 = 1 - std::pow(beta1, static_cast<double>(s.steps));
        const double correction2 = 1 - std::pow(beta2, static_cast<double>(s.steps));
        const Tensor denominator = (s.square.sqrt() / std::sqrt(correction2)).add_(settings_.epsilon);
        parameter.addcdiv_(s.mean, denominator, -rate / correction1);
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

    std::vector<NamedTensor> state() const override {
        NoGradGuard guard;
        std::vector<NamedTensor> all;
        // Without a velocity the first one is the gradient; zeros give the same.
        for (std::size_t i = 0; settings_.momentum > 0 && i < velocity_.size(); ++i)
            all.push_back({kVelocity + parameters_[i].name, copyOf(velocity_[i], parameters_[i].tensor)});
        return all;
    }

    void restore(const TensorsByName& state) override {
        NoGradGuard guard;
        std::vector<Tensor> restored(velocity_.size());
        for (std::size_t i = 0; settings_.momentum > 0 && i < velocity_.size(); ++i) {
            const auto& [name, parameter] = parameters_[i];
            restored[i] = copyOf(savedTensor(state, kVelocity + name, parameter.sizes()), parameter);
        }
        velocity_ = std::move(restored);
    }

private:
    static constexpr const char* kVelocity = "sgd.velocity.";

    void update(std::size_t index, Tensor& parameter, const Tensor& gradient) override {
        Tensor g = settings_.weight_decay > 0 ? gradient + parameter * settings_.weight_decay : gradient;
        if (settings_.momentum > 0) {
            Tensor& v = velocity_[index];
            // From zero, the first velocity is the gradient itself, as PyTorch has it.
            if (!v.defined()) v = at::zeros_like(g);
            v.mul_(settings_.momentum).add_(g);
            g = settings_.nesterov ? g + v * settings_.momentum : v;
        }
        parameter.add_(g, -rateOf(index));
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

void Optimizer::setOwnRate(const std::vector<NamedTensor>& some, double rate) {
    own_rate_ = rate;
    own_share_ = rate / learning_rate_;
    for (std::size_t i = 0; i < parameters_.size(); ++i)
        has_own_[i] =
            std::ranges::any_of(some, [&](const NamedTensor& one) { return one.name == parameters_[i].name; });
}

/// The share is saved, since the learning rate may have changed since it was set. A fork may have set another rate, or
/// the first one: then that holds.
void Optimizer::keepOwnRate(StateArchive& archive) {
    if (own_rate_ <= 0 || (archive.restoring() && archive.part().empty())) return;
    double rate = own_rate_, share = own_share_;
    archive("rate", rate);
    archive("share", share);
    if (rate == own_rate_) own_share_ = share;
}

void Optimizer::keep(StateArchive& archive) {
    archive("rate", learning_rate_);
    archive.within("own", [&] { keepOwnRate(archive); });
    archive.within("state", [&] {
        if (archive.restoring())
            restore(archive.part());
        else
            archive.put(state());
    });
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
