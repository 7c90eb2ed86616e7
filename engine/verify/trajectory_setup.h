// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/verify/golden_case.h"

namespace palimpsest {

/// The method's setup in a golden trajectory, including the case's own `config`. Throws Error(Input) for an unknown
/// schedule of the learning rate.
GoldenSetup trajectorySetup(const std::filesystem::path& root, const TensorFile& golden, const std::string& method);

}  // namespace palimpsest
