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

/// Writes the prompts of an adaptation to a file, which may be another one than was asked for. Throws Error.
using WritePrompts = std::function<void(const std::filesystem::path&)>;

/// What writes these prompts, learned in that many steps, with `metadata`, to which steps and versions are added.
/// Throws Error(Run), which says that `place` was left as it was, where they are no numbers any more.
WritePrompts promptsWriter(std::vector<NamedTensor> prompts, std::map<std::string, std::string> metadata,
                           std::int64_t step, const std::filesystem::path& place);

}  // namespace palimpsest
