// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "engine/network/tensor.h"

namespace palimpsest {

/// Writes the prompts of an adaptation to a file, possibly another one than requested. Throws Error.
using WritePrompts = std::function<void(const std::filesystem::path&)>;

/// Function that writes these prompts, learned in `step` steps, with `metadata`, steps and versions. Throws Error(Run),
/// which says that `place` was left as it was, if the prompts are not finite.
WritePrompts promptsWriter(std::vector<NamedTensor> prompts, std::map<std::string, std::string> metadata,
                           std::int64_t step, const std::filesystem::path& place);

}  // namespace palimpsest
