// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Private to the engine: no public header may include this one.
#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include <string>
#include <vector>

#include "engine/support/random.h"

namespace palimpsest {

using at::Tensor;
using c10::NoGradGuard;

struct NamedTensor {
    std::string name;
    Tensor tensor;
};

/// Fills a float32 tensor from our own generator, so that initial values are the same on every platform and device.
void fillUniform(Tensor& tensor, Random& random, double low, double high);
/// Truncated normal at two standard deviations, as timm initialises linear layers.
void fillTruncatedNormal(Tensor& tensor, Random& random, double deviation);

}  // namespace palimpsest
