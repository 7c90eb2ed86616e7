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

/// A folder that the user named: was it made, rather than there and empty? Throws Error(Input) when it is neither.
bool madeOrEmpty(const std::filesystem::path& folder);
/// If two runs start in the same folder at the same moment, one makes its run.json; throws Error(Input) to the
/// other. `made`: as madeOrEmpty() said.
void claimRunFolder(const std::filesystem::path& folder, bool made);
/// All that is in a folder that was absent or empty before the run; and itself, when it was made for it.
void takeRunAway(const std::filesystem::path& folder, bool withFolder);

Error cannotMakeRunFolder(const std::filesystem::path& folder, const std::error_code& error);

}  // namespace palimpsest
