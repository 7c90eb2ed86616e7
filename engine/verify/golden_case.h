// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "engine/adaptation/prompt_adapter.h"
#include "engine/mask/mask_policy.h"
#include "engine/method/method.h"
#include "engine/network/tensor_file.h"
#include "engine/verify/case_check.h"

namespace palimpsest {

/// Description in a golden case of the method it was made with.
struct GoldenSetup {
    std::filesystem::path root;  ///< folder of the golden files
    std::string method;          ///< Palimpsest's name of it
    bool as_published = false;   ///< the official key slice, with its defect
    bool learnable_mask = false;
    std::vector<std::string> init_files;               ///< relative to root
    nlohmann::json config = nlohmann::json::object();  ///< the case's own, with its "flags"
    OptimizerSettings optimizer{};                     ///< irrelevant without steps
    std::int64_t memory_size = 0, memory_batch = 0, batch_size = 0, memory_epochs = 0;  ///< for methods that use them
    std::optional<std::vector<std::string>> trained{};  ///< tensors that learn, if the case names them
};

/// Builds backbone and method from the initial tensors of a case; sizes come from the tensors.
std::unique_ptr<Method> makeGoldenMethod(const GoldenSetup& setup, std::int64_t& classes);

/// True if a golden file belongs to initial session adaptation ("isa_fam_proj_it3", "dualprompt_isa_eproj").
bool isAdaptationCase(const std::string& name);

/// Palimpsest's name of the method in a golden case's name ("dualprompt_batch_it3", "parity/linear_probe", ...); absent
/// if that method does not exist yet.
std::optional<std::string> methodOfCase(const std::string& name);

/// Training mask of a DualPrompt case from the official flags; every other method learns under the seen mask.
MaskKind maskOfCase(const std::string& name, const std::string& method, const std::vector<std::string>& flags);

/// Network and adapter of prompts of a case.
struct GoldenAdapter {
    std::shared_ptr<Vit> vit;
    std::unique_ptr<PromptAdapter> adapter;
    std::int64_t units = 0;  ///< outputs of the head
};

/// Network and adapter with the initial values of a case. Prompts are augmented if the case has tensors of an
/// augmenter, which begin with `prefix`.
GoldenAdapter makeGoldenAdapter(const std::filesystem::path& root, const TensorFile& golden, AdapterSettings settings,
                                const std::string& prefix);

/// A pass of the adaptation in the form of a method, with the initial values that a golden parity file names; it makes
/// no step. `classes`: outputs of its head.
std::unique_ptr<Method> makeGoldenAdaptation(const std::filesystem::path& root, const TensorFile& golden,
                                             std::int64_t& classes);

/// Number of times that each prompt of MVP was chosen before each forward pass of a parity case; undefined for other
/// methods. Cases of Si-Blurry lack it and use that of the MISA cases beside them.
Tensor countsBefore(const std::filesystem::path& file, const TensorFile& golden);
/// Restores these counts; does nothing if they are undefined.
void setCounts(Method& method, const Tensor& counts);

}  // namespace palimpsest
