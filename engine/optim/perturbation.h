// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "engine/network/tensor.h"

namespace palimpsest {

/// Moves parameters along their own gradients, all together by a distance of |reach|, against them where it is
/// negative: e = reach g / (|g| + 1e-12), the step of sharpness-aware minimisation (Foret et al., SAM, ICLR 2021; MISA,
/// utils/train_utils.py). A parameter without a gradient stays. The destructor restores the values that were saved.
class Perturbation {
public:
    Perturbation(const std::vector<NamedTensor>& parameters, double reach);
    ~Perturbation();
    Perturbation(const Perturbation&) = delete;
    Perturbation& operator=(const Perturbation&) = delete;

    /// |g|.
    double norm() const { return norm_; }

private:
    struct Moved {
        Tensor tensor, before;
    };
    std::vector<Moved> moved_;
    double norm_ = 0;
};

}  // namespace palimpsest
