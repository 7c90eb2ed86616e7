// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

#include "engine/verify/verify_golden.h"

namespace palimpsest {

using CaseReport = std::function<void(const VerifiedCase&)>;

/// Verifies one forward and backward pass of a golden parity/*.safetensors: logits, losses under each mask, gradients,
/// selection.
VerifiedCase verifyParity(const std::filesystem::path& root, const std::filesystem::path& file);
/// Verifies several training steps of a golden trajectories/*.safetensors: losses, selections, final parameters, final
/// logits.
VerifiedCase verifyTrajectory(const std::filesystem::path& root, const std::filesystem::path& file);
/// Verifies whole official runs: stream, losses, evaluations, predictions and metrics through the engine's own training
/// loop. A malformed case fails alone. Returns the number of cases; throws Error(Input) when the file is not
/// recognised.
std::size_t verifyEndToEnd(const std::filesystem::path& root, const std::filesystem::path& json,
                           const CaseReport& report);
/// Verifies the decisions of all memories, given the official draws, and CLIB's learning rates. Malformed cases and
/// files are treated as above.
std::size_t verifyMemory(const std::filesystem::path& json, const CaseReport& report);

}  // namespace palimpsest
