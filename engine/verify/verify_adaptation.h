// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <memory>

#include "engine/method/method.h"
#include "engine/network/tensor_file.h"
#include "engine/verify/case_check.h"

namespace palimpsest {

/// True if a golden file belongs to initial session adaptation ("isa_fam_proj_it3", "dualprompt_isa_eproj").
bool isAdaptationCase(const std::string& name);

/// A pass of the adaptation in the form of a method, with the initial values that a golden parity file names; it makes
/// no step. `classes`: outputs of its head.
std::unique_ptr<Method> makeGoldenAdaptation(const std::filesystem::path& root, const TensorFile& golden,
                                             std::int64_t& classes);

/// Verifies the steps of naive adaptation, SAM or FAM of a golden trajectories/isa_*.safetensors: losses and selections
/// of every pass, accuracies, exposed classes, final parameters, learned prompts, final logits.
VerifiedCase verifyAdaptation(const std::filesystem::path& root, const std::filesystem::path& file);

}  // namespace palimpsest
