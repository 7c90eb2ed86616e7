// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/config/experiment.h"

namespace palimpsest {

/// The meaning of initial_session.prompts: "none", or the file or folder to load. "naive", "sam" and "fam" are the
/// prompts that come with the program for its embedded backbone. Throws Error(Input) when these do not belong to the
/// chosen backbone, and when there is nothing at the place.
std::string initialPrompts(const InitialSessionOptions& options, const BackboneOptions& backbone);

/// The note for the user when the file `prompts`, or "none", says that its prompts were made for other weights than
/// those that `backbone` names; empty: it does not. Throws Error(Input) when a file cannot be read, and GivenUp when
/// the thread's StopScope asks for it.
std::string otherBackboneNote(const std::string& prompts, const BackboneOptions& backbone, std::uint64_t seed);

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
