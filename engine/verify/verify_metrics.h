// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>

#include "engine/verify/verify_golden.h"

namespace palimpsest {

/// Recomputes every metric of a golden metrics.json: the official code's, the paper's, and the per-class counts of one
/// set of predictions. Returns the number of cases. Throws Error(Input) when the file is not recognised.
std::size_t verifyMetrics(const std::filesystem::path& metricsJson,
                          const std::function<void(const VerifiedCase&)>& report);

}  // namespace palimpsest
