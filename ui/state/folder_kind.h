// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

namespace palimpsest {

/// True if names of files suggest that pictures lie in a folder or a few folders below. It reads a bounded number of
/// names: for a folder that is full of other files it may return true, and reading it then fails.
bool looksLikeImages(const std::filesystem::path& folder);
/// True if a run has been recorded there.
bool looksLikeRun(const std::filesystem::path& folder);

}  // namespace palimpsest
