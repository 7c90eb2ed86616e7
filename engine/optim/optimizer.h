// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "engine/network/tensor.h"
#include "engine/optim/parameter_average.h"

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
    /// True if the launches of a step on a GPU are the same each time, for the same learning rate and the same
    /// parameters with a gradient, so that they may be recorded (DeviceGraph).
    virtual bool isRecordable() const = 0;
    void zeroGradients();
    double learningRate() const { return learning_rate_; }
    /// A rate of their own that some parameters have changes in proportion.
    void setLearningRate(double rate) { learning_rate_ = rate; }
    /// Gives `some` of the parameters a learning rate of their own: `rate` where the others have the present one.
    void setOwnRate(const std::vector<NamedTensor>& some, double rate);

    /// Keeps a moving average of `some` of the parameters over the steps from now on.
    void average(std::vector<NamedTensor> some, double decay) { average_.emplace(std::move(some), decay); }
    /// Null: there is none.
    ParameterAverage* average() { return average_ ? &*average_ : nullptr; }

    /// State on which the next step depends besides parameters and settings: copies, named after the parameters
    /// ("adam.mean.NAME").
    virtual std::vector<NamedTensor> state() const = 0;
    /// Continues exactly from a state() of the same settings. Throws Error(Input) naming a tensor that is missing or
    /// has another shape; then nothing has changed.
    virtual void restore(const TensorsByName& state) = 0;
    /// Archives state(), the learning rates and the average.
    void keep(StateArchive& archive);

protected:
    /// Updates the parameters at these places, all of which have a gradient.
    virtual void update(const std::vector<std::size_t>& places) = 0;

    double rateOf(std::size_t index) const { return has_own_[index] ? learning_rate_ * own_share_ : learning_rate_; }

    std::vector<NamedTensor> parameters_;

private:
    void keepOwnRate(StateArchive& archive);

    double learning_rate_;
    std::vector<bool> has_own_;  // of each parameter
    double own_rate_ = 0;        // as it was set; 0: it was not
    double own_share_ = 1;       // of the learning rate
    std::optional<ParameterAverage> average_;
};

/// How Adam's formula is computed. The state is the same for all, and a checkpoint of one serves the others.
enum class AdamKernels {
    Plain,    ///< tensor by tensor, a dozen launches each
    Foreach,  ///< LibTorch's operators for lists of tensors, with the same roundings
    Fused,    ///< one launch for all; rounds otherwise. The number of steps stays on the device.
};
/// "plain", "foreach" or "fused" on a GPU, and the plain ones for the processor; those for lists where this LibTorch
/// has no fused ones. Throws Error(Input) for any other name.
AdamKernels adamKernels(const std::string& name, at::Device device);
/// True if this LibTorch (from 2.0 on) has the fused kernels for the device.
bool hasFusedAdam(at::Device device);

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
    AdamKernels kernels = AdamKernels::Plain;           ///< Adam
};

std::unique_ptr<Optimizer> makeOptimizer(const OptimizerSettings& settings, std::vector<NamedTensor> parameters);
/// "adam" or "sgd" as the official scripts set them; "sgd" has momentum 0.9, Nesterov and weight decay 1e-4 (MISA,
/// utils/train_utils.py, select_optimizer). Throws Error(Input) for any other name.
OptimizerSettings officialOptimizer(const std::string& name, double learningRate);

}  // namespace palimpsest
