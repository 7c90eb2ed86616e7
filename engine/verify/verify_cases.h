// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <filesystem>

#include "engine/verify/label_rule.h"
#include "engine/verify/verify_golden.h"

// Verification of each kind of golden file. Those that return a number of cases report each case; a malformed case
// fails alone, and Error(Input) is thrown when the file is not recognised.

namespace palimpsest {

/// Plans every stream of a golden streams.json and compares counts, classes, lengths, checksums and indices, all
/// exactly; if the official sampler crashed, planning must be refused.
std::size_t verifyStreams(const std::filesystem::path& json, const LabelSource& labels, const CaseReport& report);
/// Recomputes every metric of a golden metrics.json: the official code's, the paper's, and the per-class counts of one
/// set of predictions.
std::size_t verifyMetrics(const std::filesystem::path& json, const CaseReport& report);
/// Verifies the decisions of all memories, given the official draws, and CLIB's learning rates.
std::size_t verifyMemory(const std::filesystem::path& json, const CaseReport& report);
/// Verifies whole official runs: stream, losses, evaluations, predictions and metrics through the engine's own training
/// loop.
std::size_t verifyEndToEnd(const std::filesystem::path& root, const std::filesystem::path& json,
                           const CaseReport& report);

/// Verifies one forward and backward pass of a golden parity/*.safetensors: logits, losses under each mask, gradients,
/// selection.
VerifiedCase verifyParity(const std::filesystem::path& root, const std::filesystem::path& file);
/// Verifies several training steps of a golden trajectories/*.safetensors: losses, selections, final parameters, final
/// logits.
VerifiedCase verifyTrajectory(const std::filesystem::path& root, const std::filesystem::path& file);
/// Verifies the steps of naive adaptation, SAM or FAM of a golden trajectories/isa_*.safetensors: losses and selections
/// of every pass, accuracies, exposed classes, final parameters, learned prompts, final logits.
VerifiedCase verifyAdaptation(const std::filesystem::path& root, const std::filesystem::path& file);

}  // namespace palimpsest
