// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/network/tensor_file.h"

namespace palimpsest {

inline constexpr const char* kGeneralPrompts = "g_prompt.prompts";  ///< [1, blocks x rows, D]
inline constexpr const char* kExpertPrompts = "e_prompt.prompts";   ///< [pool, blocks x rows, D]

// Metadata of a file that was made here: what the prompts belong to.
inline constexpr const char* kPromptLayoutKey = "the prompt layout";  ///< layoutText()
inline constexpr const char* kPromptBackboneKey = "backbone";         ///< backboneDigest()

/// The prompts of a file, float32 on the CPU, by the two names above as far as they are there, and nothing else of it.
/// `path`: a file with tensors of these names; or, as officially published, a file with one bare tensor whose name
/// begins with g_prompt or e_prompt, together with the other one where it lies beside it; or the folder of g_prompt.pt
/// and e_prompt.pt. Throws Error(Input) for a path without prompts and for tensors that cannot be prompts.
TensorFile readPrompts(const std::filesystem::path& path);

}  // namespace palimpsest
