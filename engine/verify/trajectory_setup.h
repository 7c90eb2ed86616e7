// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/verify/golden_case.h"

namespace palimpsest {

/// What a golden trajectory says about its method, in `config`, the case's own, too. Throws Error(Input) for a schedule
/// of the learning rate that is not understood.
GoldenSetup trajectorySetup(const std::filesystem::path& root, const TensorFile& golden, const std::string& method);

}  // namespace palimpsest
