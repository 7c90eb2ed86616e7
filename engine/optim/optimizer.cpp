// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/optim/optimizer.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/csrc/api/include/torch/version.h>

#include <algorithm>
#include <cmath>
#include <map>

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

    bool isRecordable() const override { return settings_.kernels == AdamKernels::Fused; }

    std::vector<NamedTensor> state() const override {
        NoGradGuard guard;
        std::vector<NamedTensor> all;
        for (std::size_t i = 0; i < state_.size(); ++i) {
            const auto& [name, parameter] = parameters_[i];
            const State& s = state_[i];
            all.push_back({kMean + name, copyOf(s.mean, parameter)});
            all.push_back({kSquare + name, copyOf(s.square, parameter)});
            all.push_back({kSteps + name, s.steps_there.defined() ? s.steps_there.to(at::kCPU, at::kLong).reshape({1})
                                                                  : at::full({1}, s.steps, at::kLong)});
        }
        return all;
    }

    void restore(const TensorsByName& state) override {
        NoGradGuard guard;
        std::vector<State> restored;
        for (const auto& [name, parameter] : parameters_) {
            restored.push_back({copyOf(savedTensor(state, kMean + name, parameter.sizes()), parameter),
                                copyOf(savedTensor(state, kSquare + name, parameter.sizes()), parameter),
                                savedTensor(state, kSteps + name, {1}).item<std::int64_t>()});
            if (settings_.kernels == AdamKernels::Fused)
                restored.back().steps_there = stepsThere(restored.back().steps, parameter);
        }
        state_ = std::move(restored);
    }

private:
    static constexpr const char* kMean = "adam.mean.";
    static constexpr const char* kSquare = "adam.square.";
    static constexpr const char* kSteps = "adam.steps.";

    struct State {
        Tensor mean, square;
        std::int64_t steps = 0;
        Tensor steps_there{};  // float32 scalar on the device in place of `steps`, for the fused kernels
    };

    static Tensor stepsThere(std::int64_t steps, const Tensor& parameter) {
        return at::full({}, static_cast<double>(steps), parameter.options().requires_grad(false));
    }

    void update(const std::vector<std::size_t>& places) override {
        for (const std::size_t place : places) begin(state_[place], parameters_[place].tensor);
        switch (settings_.kernels) {
            case AdamKernels::Plain:
                for (const std::size_t place : places) updatePlainly(place);
                break;
            case AdamKernels::Foreach:
                updateAsLists(places);
                break;
            case AdamKernels::Fused:
                updateFused(places);
                break;
        }
    }

    void begin(State& s, const Tensor& parameter) const {
        if (s.mean.defined()) return;
        s.mean = at::zeros_like(parameter);
        s.square = at::zeros_like(parameter);
        if (settings_.kernels == AdamKernels::Fused) s.steps_there = stepsThere(0, parameter);
    }

    /// True if the decay shrinks this parameter itself.
    bool shrinks(const Tensor& parameter) const {
        return settings_.weight_decay > 0 && settings_.decoupled_decay && parameter.dim() >= 2;
    }
    bool decaysInGradient() const { return settings_.weight_decay > 0 && !settings_.decoupled_decay; }
    double firstCorrection(const State& s) const { return 1 - std::pow(settings_.beta1, static_cast<double>(s.steps)); }
    double secondCorrection(const State& s) const {
        return 1 - std::pow(settings_.beta2, static_cast<double>(s.steps));
    }

    void updatePlainly(std::size_t place) {
        State& s = state_[place];
        Tensor& parameter = parameters_[place].tensor;
        ++s.steps;
        const double decay = settings_.weight_decay, beta1 = settings_.beta1, beta2 = settings_.beta2;
        Tensor g = parameter.grad();
        if (decaysInGradient()) g = g + parameter * decay;
        const double rate = rateOf(place);
        if (shrinks(parameter)) parameter.mul_(1 - rate * decay);
        s.mean.mul_(beta1).add_(g, 1 - beta1);
        s.square.mul_(beta2).addcmul_(g, g, 1 - beta2);
        const Tensor denominator = (s.square.sqrt() / std::sqrt(secondCorrection(s))).add_(settings_.epsilon);
        parameter.addcdiv_(s.mean, denominator, -rate / firstCorrection(s));
    }

    /// The steps of updatePlainly(), each for all parameters at once.
    void updateAsLists(const std::vector<std::size_t>& places) {
        std::vector<Tensor> parameters, gradients, means, squares, shrunk;
        std::vector<at::Scalar> shrinking, roots, rates;
        for (const std::size_t place : places) {
            State& s = state_[place];
            const Tensor& parameter = parameters_[place].tensor;
            ++s.steps;
            parameters.push_back(parameter);
            gradients.push_back(parameter.grad());
            means.push_back(s.mean);
            squares.push_back(s.square);
            roots.emplace_back(std::sqrt(secondCorrection(s)));
            rates.emplace_back(-rateOf(place) / firstCorrection(s));
            if (!shrinks(parameter)) continue;
            shrunk.push_back(parameter);
            shrinking.emplace_back(1 - rateOf(place) * settings_.weight_decay);
        }
        const double beta1 = settings_.beta1, beta2 = settings_.beta2;
        if (decaysInGradient())
            gradients = at::_foreach_add(gradients, at::_foreach_mul(parameters, settings_.weight_decay));
        if (!shrunk.empty()) at::_foreach_mul_(shrunk, shrinking);
        at::_foreach_mul_(means, beta1);
        at::_foreach_add_(means, gradients, 1 - beta1);
        at::_foreach_mul_(squares, beta2);
        at::_foreach_addcmul_(squares, gradients, gradients, 1 - beta2);
        const std::vector<Tensor> denominators = at::_foreach_sqrt(squares);
        at::_foreach_div_(denominators, roots);
        at::_foreach_add_(denominators, settings_.epsilon);
        at::_foreach_addcdiv_(parameters, means, denominators, rates);
    }

    void updateFused(const std::vector<std::size_t>& places) {
#if TORCH_VERSION_MAJOR >= 2
        struct Group {
            std::vector<Tensor> parameters, gradients, means, squares, steps;
        };
        std::map<std::pair<double, bool>, Group> groups;  // by learning rate, and whether the decay shrinks them
        for (const std::size_t place : places) {
            State& s = state_[place];
            const Tensor& parameter = parameters_[place].tensor;
            Group& group = groups[{rateOf(place), shrinks(parameter)}];
            group.parameters.push_back(parameter);
            group.gradients.push_back(parameter.grad());
            group.means.push_back(s.mean);
            group.squares.push_back(s.square);
            group.steps.push_back(s.steps_there);
        }
        for (auto& [kind, g] : groups) {
            const auto& [rate, shrinking] = kind;
            at::_foreach_add_(g.steps, 1);
            if (shrinking)
                at::_fused_adamw_(g.parameters, g.gradients, g.means, g.squares, {}, g.steps, rate, settings_.beta1,
                                  settings_.beta2, settings_.weight_decay, settings_.epsilon, /*amsgrad=*/false,
                                  /*maximize=*/false);
            else
                at::_fused_adam_(g.parameters, g.gradients, g.means, g.squares, {}, g.steps, rate, settings_.beta1,
                                 settings_.beta2, decaysInGradient() ? settings_.weight_decay : 0, settings_.epsilon,
                                 /*amsgrad=*/false, /*maximize=*/false);
        }
#else
        updateAsLists(places);  // never: adamKernels() does not choose what is not there
#endif
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

    bool isRecordable() const override { return true; }

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

    void update(const std::vector<std::size_t>& places) override {
        for (const std::size_t place : places) updateOne(place, parameters_[place].tensor);
    }
    void updateOne(std::size_t index, Tensor& parameter) {
        const Tensor& gradient = parameter.grad();
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
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < parameters_.size(); ++i)
        if (parameters_[i].tensor.grad().defined()) places.push_back(i);
    if (places.empty()) return;
    update(places);
    if (average_) average_->follow();
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
    if (average_) archive.within("average", [&] { average_->keep(archive); });
}

void Optimizer::zeroGradients() {
    for (auto& [name, tensor] : parameters_) tensor.mutable_grad().reset();
}

bool hasFusedAdam(at::Device device) {
#if TORCH_VERSION_MAJOR >= 2
    const auto found = c10::Dispatcher::singleton().findSchema({"aten::_fused_adam_", ""});
    return found && found->hasKernelForDispatchKey(device.is_cuda() ? c10::DispatchKey::CUDA : c10::DispatchKey::CPU);
#else
    (void)device;
    return false;
#endif
}

AdamKernels adamKernels(const std::string& name, at::Device device) {
    if (name != "plain" && name != "foreach" && name != "fused")
        throw inputError("There is no way \"" + name + "\" to compute Adam.", "Choose fused, foreach or plain.");
    if (!device.is_cuda() || name == "plain") return AdamKernels::Plain;
    return name == "fused" && hasFusedAdam(device) ? AdamKernels::Fused : AdamKernels::Foreach;
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
