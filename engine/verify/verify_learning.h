// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

#include "engine/api.h"

namespace palimpsest {

using CaseReport = std::function<void(const VerifiedCase&)>;

/// One forward and backward pass of a golden parity/*.safetensors: logits, losses under each mask, gradients, selection.
void verifyParity(const std::filesystem::path& root, const std::filesystem::path& file, const CaseReport& report);
/// Several steps of training of a golden trajectories/*.safetensors: losses, selections, final parameters, final logits.
void verifyTrajectory(const std::filesystem::path& root, const std::filesystem::path& file, const CaseReport& report);
/// Whole official runs: stream, losses, evaluations, predictions and metrics through the loop that trains for people.
std::size_t verifyEndToEnd(const std::filesystem::path& root, const std::filesystem::path& json,
                           const CaseReport& report);
/// The reservoir's decisions with the official draws given.
std::size_t verifyMemory(const std::filesystem::path& json, const CaseReport& report);

}  // namespace palimpsest
