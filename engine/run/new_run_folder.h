// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <system_error>

#include "engine/support/error.h"

namespace palimpsest {

/// Makes an empty folder in `parent` that nobody else has: the name as a file name, the seed, the moment and, where
/// there is one of that name, a number. `nameless`: for a name without a letter or digit. Throws cannotMakeRunFolder().
std::filesystem::path makeRunFolder(const std::filesystem::path& parent, const std::string& name, std::int64_t seed,
                                    const std::string& nameless);

Error cannotMakeRunFolder(const std::filesystem::path& folder, const std::error_code& error);

}  // namespace palimpsest
