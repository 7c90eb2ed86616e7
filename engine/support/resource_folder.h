// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

namespace palimpsest {

/// Folder of the installed or in-source resources: $PALIMPSEST_RESOURCES, beside the program, share/palimpsest, source.
std::filesystem::path resourceFolder();

}  // namespace palimpsest
