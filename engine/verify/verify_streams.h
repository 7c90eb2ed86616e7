// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>

#include "engine/verify/label_rule.h"
#include "engine/verify/verify_golden.h"

namespace palimpsest {

/// Plans every stream of a golden streams.json and compares counts, classes, lengths, checksums and indices, all
/// exactly; if the official sampler crashed, planning must be refused. Returns the number of cases. Throws Error(Input)
/// when the file is not recognised.
std::size_t verifyStreams(const std::filesystem::path& streamsJson, const LabelSource& labels,
                          const std::function<void(const VerifiedCase&)>& report);

}  // namespace palimpsest
