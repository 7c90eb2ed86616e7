// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "engine/network/tensor.h"

namespace palimpsest {

class StateArchive;

/// Updates tensors from their gradients. Its state is named tensors, so that a checkpoint can hold it.
class Optimizer {
public:
    Optimizer(std::vector<NamedTensor> parameters, double learningRate)
        : parameters_(std::move(parameters)), learning_rate_(learningRate), has_own_(parameters_.size(), false) {}
    virtual ~Optimizer() = default;

    /// A parameter without a gradient is left alone.
    void step();
    void zeroGradients();
    double learningRate() const { return learning_rate_; }
    /// A rate of their own that some parameters have changes in proportion.
    void setLearningRate(double rate) { learning_rate_ = rate; }
    /// Gives `some` of the parameters a learning rate of their own: `rate` where the others have the present one.
    void setOwnRate(const std::vector<NamedTensor>& some, double rate);

    /// State on which the next step depends besides parameters and settings: copies, named after the parameters
    /// ("adam.mean.NAME").
    virtual std::vector<NamedTensor> state() const = 0;
    /// Continues exactly from a state() of the same settings. Throws Error(Input) naming a tensor that is missing or
    /// has another shape; then nothing has changed.
    virtual void restore(const TensorsByName& state) = 0;
    /// Archives state() and the learning rates.
    void keep(StateArchive& archive);

protected:
    virtual void update(std::size_t index, Tensor& parameter, const Tensor& gradient) = 0;

    double rateOf(std::size_t index) const { return has_own_[index] ? learning_rate_ * own_share_ : learning_rate_; }

    std::vector<NamedTensor> parameters_;

private:
    void keepOwnRate(StateArchive& archive);

    double learning_rate_;
    std::vector<bool> has_own_;  // of each parameter
    double own_rate_ = 0;        // as it was set; 0: it was not
    double own_share_ = 1;       // of the learning rate
};

/// Everything that decides an update; what is not set is as in PyTorch.
struct OptimizerSettings {
    enum class Kind { Adam, Sgd };
    Kind kind = Kind::Adam;
    double learning_rate = 0;
    double weight_decay = 0;       ///< share of a parameter that is added to its gradient
    bool decoupled_decay = false;  ///< Adam: the decay shrinks the parameters themselves, matrices only (AdamW)
    double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;  ///< Adam
    double momentum = 0;                                ///< SGD
    bool nesterov = false;                              ///< SGD
};

std::unique_ptr<Optimizer> makeOptimizer(const OptimizerSettings& settings, std::vector<NamedTensor> parameters);
/// "adam" or "sgd" as the official scripts set them; "sgd" has momentum 0.9, Nesterov and weight decay 1e-4 (MISA,
/// utils/train_utils.py, select_optimizer). Throws Error(Input) for any other name.
OptimizerSettings officialOptimizer(const std::string& name, double learningRate);

}  // namespace palimpsest
