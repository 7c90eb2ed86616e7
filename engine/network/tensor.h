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

/// The tensor of that name in a saved state. Throws Error(Input) when it is missing or has another shape.
const Tensor& savedTensor(const TensorsByName& state, const std::string& name, at::IntArrayRef sizes);

/// The first `rows` rows of a tensor, padded with zeros where it has fewer; an undefined tensor stays undefined.
Tensor withRows(const Tensor& tensor, std::int64_t rows);

/// Vectors along `dim` divided by their length, which counts as at least 1e-12.
Tensor unitLength(const Tensor& vectors, std::int64_t dim);
/// Cosine of the vectors along `dim`, broadcast and bounded as PyTorch does: lengths count as at least 1e-8.
Tensor cosine(const Tensor& a, const Tensor& b, std::int64_t dim);

/// Text such as "[10, 60, 768]".
std::string sizesText(at::IntArrayRef sizes);

/// Fills a float32 tensor from the engine's own generator, so that initial values are the same on every platform and
/// device.
void fillUniform(Tensor& tensor, Random& random, double low, double high);
/// Fills with standard normal values.
void fillNormal(Tensor& tensor, Random& random);
/// Fills with normal values truncated at two standard deviations, as timm initialises linear layers.
void fillTruncatedNormal(Tensor& tensor, Random& random, double deviation);

}  // namespace palimpsest
