// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>

#include "engine/network/safetensors.h"
#include "engine/verify/case_check.h"

namespace palimpsest {

/// The golden file's own measure of how far float32 may stray, ten times, but never less than `floor`.
double tolerance(const nlohmann::json& sensitivity, double floor);
/// That of one parameter at the end of a trajectory; `sensitivity` is the file's.
double parameterTolerance(const nlohmann::json& sensitivity, const std::string& name, double floor);

/// Raw labels of some rows of an int64 tensor.
std::vector<std::int32_t> labelsAt(const Tensor& labels, const std::vector<std::int64_t>& rows);

/// The name in a golden file of a tensor of ours: Si-Blurry calls the head "head", not "fc". `prefix` stands before it.
std::string officialName(const TensorFile& golden, const std::string& prefix, const std::string& name);

/// Everything that learned against what a trajectory holds of its end: whole tensors, their rows that changed most, or
/// their norms.
void compareFinalParameters(CaseCheck& check, const TensorFile& golden, const std::vector<NamedTensor>& trainable,
                            double floor);

}  // namespace palimpsest
