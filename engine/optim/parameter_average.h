// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "engine/network/tensor.h"

namespace palimpsest {

class StateArchive;

/// Moving averages of some parameters over the steps of their optimiser: average <- decay average + (1 - decay) value,
/// from the values at the beginning on (FlyGCL, FlyPrompt: 0.9 and 0.99).
class ParameterAverage {
public:
    ParameterAverage(std::vector<NamedTensor> parameters, double decay);

    double decay() const { return decay_; }
    /// Takes the values as they are behind a step.
    void follow();
    /// "NAME" of each parameter, the very averages, unless an InUse lives.
    const std::vector<NamedTensor>& averages() const { return averages_; }
    /// Where the state has none, the averages begin with the values as they are.
    void keep(StateArchive& archive);

    /// While it lives, the parameters have the values of their averages, and the averages theirs.
    class InUse {
    public:
        /// Null: nothing happens.
        explicit InUse(ParameterAverage* average) : average_(average) { exchange(); }
        ~InUse() { exchange(); }
        InUse(const InUse&) = delete;
        InUse& operator=(const InUse&) = delete;

    private:
        void exchange() {
            if (average_) average_->exchange();
        }
        ParameterAverage* average_;
    };

private:
    void begin();
    void exchange();

    std::vector<NamedTensor> parameters_, averages_;
    double decay_;
};

}  // namespace palimpsest
