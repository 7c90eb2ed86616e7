// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Private to the engine: no public header may include this one.
#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include <map>
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

using TensorsByName = std::map<std::string, Tensor>;

/// A tensor of a saved state. Throws Error(Input) where it is missing or has another shape.
const Tensor& savedTensor(const TensorsByName& state, const std::string& name, at::IntArrayRef sizes);

/// The first rows of a tensor, or all of them and rows of zeros behind; an undefined one stays so.
Tensor withRows(const Tensor& tensor, std::int64_t rows);

/// Vectors along `dim` divided by their length, which counts as 1e-12 at least.
Tensor unitLength(const Tensor& vectors, std::int64_t dim);
/// Cosine of the vectors along `dim`, broadcast as PyTorch's and with its floor: lengths count as 1e-8 at least.
Tensor cosine(const Tensor& a, const Tensor& b, std::int64_t dim);

/// "[10, 60, 768]"
std::string sizesText(at::IntArrayRef sizes);

/// Fills a float32 tensor from our own generator, so that initial values are the same on every platform and device.
void fillUniform(Tensor& tensor, Random& random, double low, double high);
/// Standard normal.
void fillNormal(Tensor& tensor, Random& random);
/// Truncated normal at two standard deviations, as timm initialises linear layers.
void fillTruncatedNormal(Tensor& tensor, Random& random, double deviation);

}  // namespace palimpsest
