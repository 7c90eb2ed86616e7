// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

#include "engine/verify/golden_case.h"

namespace palimpsest {

/// "l2p" or "mvp" for cases of these.
std::optional<std::string> promptMethodOfCase(const std::string& name);

/// Their sizes, from the initial tensors, and MVP's switches and numbers, from the case's flags.
void describePromptMethod(const GoldenSetup& golden, const std::function<const Tensor&(const std::string&)>& initialOf,
                          MethodOptions& options);

/// How often each prompt of MVP was chosen before each forward pass of a parity case; undefined for other methods.
/// Cases of Si-Blurry leave it unsaid and take it from those of MISA beside them.
Tensor countsBefore(const std::filesystem::path& file, const TensorFile& golden);
/// Puts it back; nothing where it is undefined.
void setCounts(Method& method, const Tensor& counts);

}  // namespace palimpsest
