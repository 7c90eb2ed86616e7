// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

#include "engine/verify/golden_case.h"

namespace palimpsest {

/// "l2p" or "mvp" for cases of these methods, else absent.
std::optional<std::string> promptMethodOfCase(const std::string& name);

/// Fills in their sizes, from the initial tensors, and MVP's switches and numbers, from the case's flags.
void describePromptMethod(const GoldenSetup& golden, const std::function<const Tensor&(const std::string&)>& initialOf,
                          MethodOptions& options);

/// Number of times that each prompt of MVP was chosen before each forward pass of a parity case; undefined for other
/// methods. Cases of Si-Blurry lack it and use that of the MISA cases beside them.
Tensor countsBefore(const std::filesystem::path& file, const TensorFile& golden);
/// Restores these counts; does nothing if they are undefined.
void setCounts(Method& method, const Tensor& counts);

}  // namespace palimpsest
