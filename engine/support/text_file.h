// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace palimpsest {

/// The whole file. Throws Error(Input) that says why it cannot be read.
std::string readTextFile(const std::filesystem::path& file);

enum class Keep { Written, OnDisk };
/// Written beside the file, then renamed over it, so that a reader sees the old text or the new one and never half of
/// either; OnDisk: also after a loss of power. Throws Error(Input) that says why it cannot be written.
void replaceTextFile(const std::filesystem::path& file, std::string_view text, Keep keep = Keep::Written);

}  // namespace palimpsest
