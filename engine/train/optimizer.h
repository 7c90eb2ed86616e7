// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "engine/network/tensor.h"

namespace palimpsest {

/// Updates tensors from their gradients. Its state is named tensors, so that a checkpoint can hold it.
class Optimizer {
public:
    Optimizer(std::vector<NamedTensor> parameters, double learningRate)
        : parameters_(std::move(parameters)), learning_rate_(learningRate) {}
    virtual ~Optimizer() = default;

    /// A parameter without a gradient is left alone.
    void step();
    void zeroGradients();
    double learningRate() const { return learning_rate_; }
    void setLearningRate(double rate) { learning_rate_ = rate; }
    const std::vector<NamedTensor>& parameters() const { return parameters_; }

protected:
    virtual void update(std::size_t index, Tensor& parameter, const Tensor& gradient) = 0;

    std::vector<NamedTensor> parameters_;
    double learning_rate_;
};

/// Adam, betas 0.9 and 0.999, eps 1e-8. `decay` > 0: decoupled weight decay (AdamW) on matrices only.
std::unique_ptr<Optimizer> makeAdam(std::vector<NamedTensor> parameters, double learningRate, double decay = 0);
/// SGD with momentum 0.9, Nesterov, weight decay 1e-4 (MISA, utils/train_utils.py, select_optimizer "sgd").
std::unique_ptr<Optimizer> makeSgd(std::vector<NamedTensor> parameters, double learningRate, double momentum = 0.9,
                                   bool nesterov = true, double decay = 1e-4);
/// "adam" or "sgd" as the official scripts set them.
std::unique_ptr<Optimizer> makeOptimizer(const std::string& name, std::vector<NamedTensor> parameters,
                                         double learningRate);

}  // namespace palimpsest
