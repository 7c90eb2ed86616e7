// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

#include "engine/verify/verify_golden.h"

namespace palimpsest {

using CaseReport = std::function<void(const VerifiedCase&)>;

/// One forward and backward pass of a golden parity/*.safetensors: logits, losses under each mask, gradients,
/// selection.
VerifiedCase verifyParity(const std::filesystem::path& root, const std::filesystem::path& file);
/// Several steps of training of a golden trajectories/*.safetensors: losses, selections, final parameters, final
/// logits.
VerifiedCase verifyTrajectory(const std::filesystem::path& root, const std::filesystem::path& file);
/// Whole official runs: stream, losses, evaluations, predictions and metrics through the loop that trains for people.
/// A malformed case fails alone. Returns the number of cases; throws Error(Input) when the file is not understood.
std::size_t verifyEndToEnd(const std::filesystem::path& root, const std::filesystem::path& json,
                           const CaseReport& report);
/// Decisions of all memories with the official draws given, and CLIB's learning rates. Malformed cases and files as
/// above.
std::size_t verifyMemory(const std::filesystem::path& json, const CaseReport& report);

}  // namespace palimpsest
