// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>

#include "engine/network/tensor_file.h"
#include "engine/verify/case_check.h"

namespace palimpsest {

/// A value of the file's metadata. Throws Error(Input) when it is missing or malformed.
nlohmann::json metadataJson(const TensorFile& file, const std::string& key);

/// Compares two tensors entry by entry within absolute + relative tolerance.
void nearTensor(CaseCheck& check, const std::string& what, const Tensor& got, const Tensor& expected, double absolute,
                double relative = 0);
/// Compares whole numbers exactly.
void sameIntegers(CaseCheck& check, const std::string& what, const std::vector<std::int64_t>& got,
                  const Tensor& expected);

/// Ten times the golden file's own measure of float32 deviations, but at least `floor`.
double tolerance(const nlohmann::json& sensitivity, double floor);
/// Tolerance of one parameter at the end of a trajectory; `sensitivity` is the file's.
double parameterTolerance(const nlohmann::json& sensitivity, const std::string& name, double floor);

/// Raw labels of some rows of an int64 tensor.
std::vector<std::int32_t> labelsAt(const Tensor& labels, const std::vector<std::int64_t>& rows);

/// Name in a golden file of one of our tensors: Si-Blurry calls the head "head", not "fc". `prefix` comes before it.
std::string officialName(const TensorFile& golden, const std::string& prefix, const std::string& name);

/// Compares everything that learned with the final values of a trajectory: whole tensors, the rows that changed most,
/// or norms.
void compareFinalParameters(CaseCheck& check, const TensorFile& golden, const std::vector<NamedTensor>& trainable,
                            double floor);

}  // namespace palimpsest
