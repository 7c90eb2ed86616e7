// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

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

/// Palimpsest's name of the method in a golden case's name ("dualprompt_batch_it3", "parity/linear_probe", ...); absent
/// if that method does not exist yet.
std::optional<std::string> methodOfCase(const std::string& name);

/// Training mask of a DualPrompt case from the official flags; every other method learns under the seen mask.
MaskKind maskOfCase(const std::string& name, const std::string& method, const std::vector<std::string>& flags);

nlohmann::json metadataJson(const TensorFile& file, const std::string& key);

/// Compares two tensors entry by entry within absolute + relative tolerance.
void nearTensor(CaseCheck& check, const std::string& what, const Tensor& got, const Tensor& expected, double absolute,
                double relative = 0);
/// Compares whole numbers exactly.
void sameIntegers(CaseCheck& check, const std::string& what, const std::vector<std::int64_t>& got,
                  const Tensor& expected);

}  // namespace palimpsest
