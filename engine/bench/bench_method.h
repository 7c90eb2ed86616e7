// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>

#include "engine/method/method.h"

// Random weights and random images for the benchmarks, since speed depends on neither.

namespace palimpsest {

constexpr std::int64_t kBenchClasses = 10;

/// A backbone of random weights.
std::shared_ptr<Vit> benchVit(const VitShape& shape, at::ScalarType type, at::Device device = at::kCPU);

/// A method on that backbone, with the options of the default experiment.
std::shared_ptr<Method> benchMethod(const std::string& name, const std::shared_ptr<Vit>& vit,
                                    const std::string& adam = "fused");

/// Random images [count, 3, side, side].
Tensor noiseImages(std::int64_t count, std::int64_t side, std::uint64_t seed = 1);

/// A batch of random images of all classes in turn, under the seen mask.
UpdateInput noiseBatch(std::int64_t images, std::int64_t side, at::Device device = at::kCPU);

}  // namespace palimpsest
