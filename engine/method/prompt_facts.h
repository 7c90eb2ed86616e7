// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace palimpsest {

/// Facts by which prompts can be compared.
struct PromptFacts {
    std::string name;                 ///< "g_prompt.prompts" or "e_prompt.prompts"
    std::vector<std::int64_t> shape;  ///< prompts, blocks x rows, width
    double mean = 0;
    double deviation = 0;  ///< with n - 1, as PyTorch computes it
    double minimum = 0, maximum = 0;
    std::string sha256;  ///< of the float32 values, little-endian
};

/// Reads prompts of any form that initial_session.prompts takes and, unless `out` is empty, writes them to that
/// .safetensors file. Throws Error(Input) when there are none or they cannot be written.
std::vector<PromptFacts> promptFacts(const std::filesystem::path& from, const std::filesystem::path& out = {});

}  // namespace palimpsest
